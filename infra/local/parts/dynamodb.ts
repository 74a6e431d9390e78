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
import { StartError } from '../start-error.ts';
import { credentials, region } from './aws.ts';
import { type Child, findProgram, startChild, untilReady } from './child-process.ts';

const packagedBinary = `@dynoxide/${process.platform}-${process.arch}/dynoxide`;

/**
 * Starts the DynamoDB-compatible server, which stores its tables in one SQLite file.
 * @throws StartError when the server is not installed or does not start
 */
export async function startDynamoDb(
  port: number,
  file: string,
  log: string,
): Promise<Child & { url: string }> {
  const binary = findProgram(packagedBinary, 'dynoxide');
  if (!binary) {
    throw new StartError(
      `No DynamoDB-compatible server for ${process.platform} on ${process.arch} is installed: see “Other machines” in README.md.`,
    );
  }
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
