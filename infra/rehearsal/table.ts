import { DescribeTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { table as schema } from '../../shared/dynamo/keys.ts';
import type { Emulator } from './emulator.ts';
import { listDifferences } from './list-differences.ts';

/**
 * Compares the emulator's table with the schema: keys, indexes and billing mode. The emulator's CloudFormation ignores
 * time to live and point-in-time recovery.
 */
export async function listTableDifferences({ client: options }: Emulator): Promise<string[]> {
  const client = new DynamoDBClient(options);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const [TableName] = TableNames;
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const keyNames = (keySchema: { AttributeName?: string }[] = []) =>
    keySchema.map(({ AttributeName }) => AttributeName);
  return listDifferences(
    {
      tables: 1,
      keys: [schema.partitionKey, schema.sortKey],
      indexes: schema.indexes.map(({ name, partitionKey, sortKey }) => [
        name,
        'KEYS_ONLY',
        partitionKey,
        sortKey,
      ]),
      billing: 'PAY_PER_REQUEST',
    },
    {
      tables: TableNames.length,
      keys: keyNames(Table?.KeySchema),
      indexes: Table?.GlobalSecondaryIndexes?.map((index) => [
        index.IndexName,
        index.Projection?.ProjectionType,
        ...keyNames(index.KeySchema),
      ]),
      billing: Table?.BillingModeSummary?.BillingMode,
    },
  );
}
