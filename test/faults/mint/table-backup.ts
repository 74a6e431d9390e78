import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, type Item, tableName } from '../../../shared/dynamo/client.ts';

/** Returns all items of the table. */
export async function readTable(): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const answer = await documentClient().send(
      new ScanCommand({ TableName: tableName(), ExclusiveStartKey, ConsistentRead: true }),
    );
    items.push(...(answer.Items ?? []));
    ExclusiveStartKey = answer.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** Replaces the contents of the table by the backup. */
export async function restoreTable(backup: readonly Item[]): Promise<void> {
  const kept = new Set(backup.map(({ pk, sk }) => `${pk} ${sk}`));
  for (const { pk, sk } of await readTable()) {
    if (kept.has(`${pk} ${sk}`)) continue;
    await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
  }
  for (const item of backup)
    await documentClient().send(new PutCommand({ TableName: tableName(), Item: item }));
}
