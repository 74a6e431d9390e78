import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { handler as fulfilOrders } from '../../functions/workers/fulfil-orders.ts';
import { handler as mintTickets } from '../../functions/workers/mint-tickets.ts';
import { handler as runEventJobs } from '../../functions/workers/run-event-jobs.ts';
import { handler as sendMoney } from '../../functions/workers/send-money.ts';
import { handler as settleOrders } from '../../functions/workers/settle-orders.ts';
import type { QueueName } from '../../infra/functions.ts';
import { functions } from '../../infra/functions.ts';
import { createTable, credentials, region, startDynamoDb, startSqs } from '../../infra/local/services/aws.ts';
import { freePort } from '../../infra/local/services/process.ts';
import { extendTableTimeouts } from './table-timeouts.ts';

export interface Backend {
  dynamodbUrl: string;
  /** Addresses by queue name. */
  queueUrls: Record<string, string>;
  stop(): Promise<void>;
}

/** The same for all backends of a process, since the SDK's clients keep the first addresses they use. */
const ports = { table: freePort(), queues: freePort() };

/**
 * Starts the local table and queues without functions, for tests that call use cases directly, and sets the environment
 * variables that use cases read. Stop it before the process starts another one.
 * @param options.timeoutSeconds the timeout of all workers, which decides when their messages become visible again
 */
export async function startBackend({
  timeoutSeconds = undefined as number | undefined,
} = {}): Promise<Backend> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-backend-'));
  const log = path.join(directory, 'dynamodb.log');
  const file = path.join(directory, 'table.db');
  const dynamodb = await startDynamoDb(file, log, await ports.table);
  await createTable(dynamodb.url, 'boxoffice', { dropExisting: true });
  const sqs = await startSqs(
    timeoutSeconds ? functions.map((row) => ({ ...row, timeoutSeconds })) : functions,
    await ports.queues,
  );
  Object.assign(process.env, {
    TABLE_NAME: 'boxoffice',
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_SQS: sqs.url,
    FULFIL_ORDERS_QUEUE_URL: sqs.queueUrls['fulfil-orders'],
    MINT_TICKETS_QUEUE_URL: sqs.queueUrls['mint-tickets'],
    SEND_MONEY_QUEUE_URL: sqs.queueUrls['send-money'],
    SETTLE_ORDERS_QUEUE_URL: sqs.queueUrls['settle-orders'],
    RUN_EVENT_JOBS_QUEUE_URL: sqs.queueUrls['run-event-jobs'],
    SEND_MAIL_QUEUE_URL: sqs.queueUrls['send-mail'],
    DELIVER_WEBHOOKS_QUEUE_URL: sqs.queueUrls['deliver-webhooks'],
    RESIZE_PICTURES_QUEUE_URL: sqs.queueUrls['resize-pictures'],
    SEND_LINKS_QUEUE_URL: sqs.queueUrls['send-links'],
    JWT_ACCESS_SECRET: 'only-for-tests-access-0123456789abcdef',
  });
  extendTableTimeouts();
  const stop = async () => {
    sqs.server.closeAllConnections();
    sqs.server.close();
    await dynamodb.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  return { dynamodbUrl: dynamodb.url, queueUrls: sqs.queueUrls, stop };
}

// biome-ignore lint/suspicious/noExplicitAny: handlers have different event types
const workers: { [Queue in QueueName]?: any } = {
  'run-event-jobs': runEventJobs,
  'settle-orders': settleOrders,
  'fulfil-orders': fulfilOrders,
  'send-money': sendMoney,
  'mint-tickets': mintTickets,
};

/**
 * Delivers the queues' messages to the workers until no message succeeds. Failed messages stay in their queue. Each
 * nonce is checked once: on a chain that mines no blocks meanwhile, each check would only send the message for the next,
 * and with many nonces the series would not end.
 */
export async function runWorkers({ queueUrls }: Backend, queues: readonly QueueName[]): Promise<void> {
  const [first = ''] = Object.values(queueUrls);
  const sqs = new SQSClient({ endpoint: new URL(first).origin });
  const checks = new Set<string>();
  for (let delivered = 1; delivered > 0; ) {
    delivered = 0;
    for (const queue of queues) {
      const QueueUrl = queueUrls[queue];
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
      );
      for (const { MessageId: messageId, Body: body = '', ReceiptHandle } of Messages) {
        if (checks.has(body)) continue;
        if ('nonce' in JSON.parse(body)) checks.add(body);
        const record = { messageId, body, attributes: { ApproximateReceiveCount: '1' } };
        const { batchItemFailures } = await workers[queue](
          { Records: [record] },
          { getRemainingTimeInMillis: () => 60_000 },
        );
        if (batchItemFailures.length > 0) continue;
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        delivered++;
      }
    }
  }
}

/** Creates a request in API Gateway's payload format 2.0, for tests that call a handler directly. */
export function createApiEvent(
  body: string,
  headers: Record<string, string> = {},
  isBase64Encoded = false,
): APIGatewayProxyEventV2 {
  return {
    version: '2.0',
    routeKey: 'POST /test',
    rawPath: '/test',
    rawQueryString: '',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    isBase64Encoded,
    requestContext: {
      requestId: randomUUID(),
      http: { method: 'POST', path: '/test', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
    },
  } as unknown as APIGatewayProxyEventV2;
}
