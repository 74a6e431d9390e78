import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type Item, tableName } from '../../../shared/dynamo/client.ts';
import { documents } from '../../../shared/dynamo/documents.ts';

/** Returns all items of the table. */
export async function readTable(): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const answer = await documents.send(
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
    await documents.send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
  }
  for (const item of backup) await documents.send(new PutCommand({ TableName: tableName(), Item: item }));
}
