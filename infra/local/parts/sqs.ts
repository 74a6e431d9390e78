import { createServer, type Server } from 'node:http';
import { createRequestHandler } from 'local-aws-sqs';
import type { FunctionRow, QueueName } from '../../functions.ts';
import type { Ports } from '../ports.ts';
import { accountId, region } from './aws.ts';

/** After this number of receives, a message is moved to the dead-letter queue, as in the CDK stack. */
const maxReceiveCount = 5;

export interface Sqs {
  url: string;
  /** The URLs by queue name, including dead-letter queues. */
  queueUrls: Record<string, string>;
  server: Server;
}

/** Starts the SQS-compatible server with every queue that the functions use. It stores messages in memory only. */
export async function startSqs(rows: readonly FunctionRow[], ports: Ports): Promise<Sqs> {
  const names = queueNames(rows);
  // The server is created here, since the package's createSqsServer does not report a port in use.
  const server = createServer();
  const port = await ports.listen('sqs', server);
  const { requestHandler } = createRequestHandler({
    port,
    hostname: '127.0.0.1',
    region,
    accountId,
    queues: names.flatMap((name) => [deadLetterQueueDefinition(name), queueDefinition(name, rows)]),
  });
  server.on('request', (request, response) => {
    requestHandler(request, response).catch(() => response.writeHead(400).end());
  });
  const url = `http://127.0.0.1:${port}`;
  const queueUrls = Object.fromEntries(
    names.flatMap((name) => [name, `${name}-dlq`]).map((name) => [name, `${url}/${accountId}/${name}`]),
  );
  return { url, queueUrls, server };
}

/** Returns the queues that the functions read from or send to. */
function queueNames(rows: readonly FunctionRow[]): QueueName[] {
  const read = rows.flatMap(({ trigger }) => ('queue' in trigger ? [trigger.queue] : []));
  return [...new Set([...read, ...rows.flatMap(({ sends }) => sends ?? [])])];
}

function deadLetterQueueDefinition(name: QueueName) {
  return { QueueName: `${name}-dlq`, Attributes: { MessageRetentionPeriod: 1_209_600 } };
}

function queueDefinition(name: QueueName, rows: readonly FunctionRow[]) {
  return {
    QueueName: name,
    Attributes: {
      VisibilityTimeout: visibilitySeconds(name, rows),
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: `arn:aws:sqs:${region}:${accountId}:${name}-dlq`,
        maxReceiveCount,
      }),
    },
  };
}

/** Returns six times the consumer's timeout, as AWS recommends; for a queue without a consumer, SQS's default. */
function visibilitySeconds(name: QueueName, rows: readonly FunctionRow[]): number {
  const consumer = rows.find(({ trigger }) => 'queue' in trigger && trigger.queue === name);
  return consumer ? 6 * consumer.timeoutSeconds : 30;
}
