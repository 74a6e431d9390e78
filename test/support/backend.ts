import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { functions } from '../../infra/functions.ts';
import { createTable, credentials, region, startDynamoDb, startSqs } from '../../infra/local/services/aws.ts';
import { extendTableTimeouts } from './table-timeouts.ts';

export interface Backend {
  dynamodbUrl: string;
  /** Addresses by queue name. */
  queueUrls: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts the local table and queues without functions, for tests that call use cases directly, and sets the environment
 * variables that use cases read. Start only one in a process, since the SDK's clients keep the first addresses they
 * use.
 */
export async function startBackend(): Promise<Backend> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-backend-'));
  const log = path.join(directory, 'dynamodb.log');
  const file = path.join(directory, 'table.db');
  const dynamodb = await startDynamoDb(file, log);
  await createTable(dynamodb.url, 'boxoffice', { dropExisting: true });
  const sqs = await startSqs(functions);
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
