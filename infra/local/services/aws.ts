import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import {
  type AttributeDefinition,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { table } from '../../../shared/dynamo/keys.ts';
import type { FunctionRow, QueueName } from '../../functions.ts';
import {
  type Child,
  findProgram,
  freePort,
  listenPreferring,
  StartError,
  startChild,
  untilReady,
} from './process.ts';

/** Values for AWS SDK clients of the local stack, whose servers accept any credentials. */
export const region = 'us-east-1';
export const accountId = '000000000000';
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

const packagedBinary = `@dynoxide/${process.platform}-${process.arch}/dynoxide`;

/**
 * Starts the DynamoDB-compatible server, which stores its tables in one SQLite file.
 * @throws StartError when the server is not installed or does not start
 */
export async function startDynamoDb(
  file: string,
  log: string,
  preferredPort = 0,
): Promise<Child & { url: string }> {
  const binary = findProgram(packagedBinary, 'dynoxide');
  if (!binary) {
    throw new StartError(
      `No DynamoDB-compatible server for ${process.platform} on ${process.arch} is installed: see “Other machines” in README.md.`,
    );
  }
  const port = await freePort(preferredPort);
  const child = startChild([binary, '--host', '127.0.0.1', '-p', `${port}`, '--db-path', file], { log });
  const url = `http://127.0.0.1:${port}`;
  if (!(await untilReady(() => fetch(url), child.ended))) {
    await child.stop();
    throw new StartError(`The DynamoDB-compatible server did not start. Its output is in ${log}.`);
  }
  return { ...child, url };
}

/**
 * Creates the table with the keys, indexes and TTL of the CDK stack, unless it exists. Completes a table whose creation
 * was interrupted.
 * @param dropExisting drop an existing table first, such as one in a server that outlives the local stack
 * @throws StartError when the server does not respond or refuses
 */
export async function createTable(
  endpoint: string,
  name: string,
  { dropExisting }: { dropExisting: boolean },
): Promise<void> {
  const client = new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 2 });
  try {
    if (dropExisting) await dropTable(client, name);
    await client.send(new CreateTableCommand(tableDefinition(name))).catch((error) => {
      if (!(error instanceof ResourceInUseException)) throw error;
    });
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName: name });
    await enableTimeToLive(client, name);
  } catch (error) {
    throw new StartError(
      `The table can't be created at ${endpoint}: ${(error as Error).message || (error as Error).name}.`,
    );
  } finally {
    client.destroy();
  }
}

async function dropTable(client: DynamoDBClient, TableName: string): Promise<void> {
  try {
    await client.send(new DescribeTableCommand({ TableName }));
    await client.send(new DeleteTableCommand({ TableName }));
    await waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

/** Enables TTL, unless it is enabled: then DynamoDB would refuse. */
async function enableTimeToLive(client: DynamoDBClient, TableName: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (TimeToLiveDescription?.TimeToLiveStatus === 'ENABLED') return;
  const TimeToLiveSpecification = { AttributeName: table.timeToLive, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

function tableDefinition(name: string) {
  const tableAndIndexes = [table, ...table.indexes];
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST' as const,
    AttributeDefinitions: tableAndIndexes.flatMap(({ partitionKey, sortKey }) => [
      stringAttribute(partitionKey),
      stringAttribute(sortKey),
    ]),
    KeySchema: keySchema(table),
    GlobalSecondaryIndexes: table.indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection: { ProjectionType: 'KEYS_ONLY' as const },
    })),
  };
}

function stringAttribute(name: string): AttributeDefinition {
  return { AttributeName: name, AttributeType: 'S' };
}

function keySchema(key: { partitionKey: string; sortKey: string }): KeySchemaElement[] {
  return [
    { AttributeName: key.partitionKey, KeyType: 'HASH' },
    { AttributeName: key.sortKey, KeyType: 'RANGE' },
  ];
}

/** After this number of receives, a message is moved to the dead-letter queue, as in the CDK stack. */
const maxReceiveCount = 5;

export interface Sqs {
  url: string;
  /** The URLs by queue name, including dead-letter queues. */
  queueUrls: Record<string, string>;
  server: Server;
}

/** Starts the SQS-compatible server with every queue that the functions use. It stores messages in memory only. */
export async function startSqs(rows: readonly FunctionRow[], preferredPort = 0): Promise<Sqs> {
  const names = queueNames(rows);
  // The server is created here, since the package's createSqsServer does not report a port in use.
  const server = createServer();
  const port = await listenPreferring(server, preferredPort);
  const { createRequestHandler } = await import('local-aws-sqs');
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

/**
 * Starts an SES-compatible server that stores mails in memory and shows them on a page. It listens on the loopback
 * interface only, and forwards no mail.
 * @throws StartError when the server does not start
 */
export async function startMailbox(log: string, preferredPort = 0): Promise<Child & { url: string }> {
  const program = createRequire(import.meta.url).resolve('aws-ses-v2-local/dist/cli.js');
  const port = await freePort(preferredPort);
  const node = [process.execPath, '--optimize-for-size', '--max-semi-space-size=1'];
  const child = startChild([...node, program, '--host', '127.0.0.1', '--port', `${port}`], {
    log,
    // A non-empty value would make the server forward mails.
    env: { ...process.env, SMTP_TRANSPORT: '' },
  });
  const url = `http://127.0.0.1:${port}`;
  if (!(await untilReady(() => fetch(`${url}/health-check`), child.ended))) {
    await child.stop();
    throw new StartError(`The SES-compatible server did not start. Its output is in ${log}.`);
  }
  return { ...child, url };
}
