import { DescribeTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { table as shape } from '../../shared/dynamo/keys.ts';
import { listDifferences } from './compare.ts';
import type { Emulator } from './emulator.ts';

/** Compares keys and billing only: the emulator's CloudFormation ignores time to live and point-in-time recovery. */
export async function tableDifferences({ client: options }: Emulator): Promise<string[]> {
  const client = new DynamoDBClient(options);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const [TableName] = TableNames;
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const keys = (schema: { AttributeName?: string }[] = []) =>
    schema.map(({ AttributeName }) => AttributeName);
  return listDifferences(
    {
      tables: 1,
      keys: [shape.partitionKey, shape.sortKey],
      indexes: shape.indexes.map(({ name, partitionKey, sortKey }) => [
        name,
        'KEYS_ONLY',
        partitionKey,
        sortKey,
      ]),
      billing: 'PAY_PER_REQUEST',
    },
    {
      tables: TableNames.length,
      keys: keys(Table?.KeySchema),
      indexes: Table?.GlobalSecondaryIndexes?.map((index) => [
        index.IndexName,
        index.Projection?.ProjectionType,
        ...keys(index.KeySchema),
      ]),
      billing: Table?.BillingModeSummary?.BillingMode,
    },
  );
}
