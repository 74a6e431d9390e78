import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../shared/dynamo/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: audits read stored items, including those that no schema accepts
export type RawItem = Record<string, any>;

/** Reads the whole table. For operators' commands only: functions have no permission to scan. */
export async function scanTable(): Promise<RawItem[]> {
  const items: RawItem[] = [];
  let startKey: RawItem | undefined;
  do {
    const page = await documentClient().send(
      new ScanCommand({ TableName: tableName(), ConsistentRead: true, ExclusiveStartKey: startKey }),
    );
    items.push(...(page.Items ?? []));
    startKey = page.LastEvaluatedKey;
  } while (startKey);
  return items;
}
