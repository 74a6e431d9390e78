import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../shared/dynamo/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: audits read stored items, including those that no schema accepts
export type RawItem = Record<string, any>;

/** Reads the whole table. Only operators' commands may use it, never a function. */
export async function scanTable(): Promise<RawItem[]> {
  const items: RawItem[] = [];
  let start: RawItem | undefined;
  do {
    const page = await documentClient().send(
      new ScanCommand({ TableName: tableName(), ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}
