import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, type Item, tableName } from '../../shared/dynamo/client.ts';

/** The whole table: for an operator's commands, never for a function. */
export async function scan(): Promise<Item[]> {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await documentClient().send(
      new ScanCommand({ TableName: tableName(), ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}
