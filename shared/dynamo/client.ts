import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, GetCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { required } from '../runtime/config.ts';
import { pause } from '../runtime/retry.ts';
import { documents } from './documents.ts';
import type { Key } from './keys.ts';

/** An item as the table holds it. */
// biome-ignore lint/suspicious/noExplicitAny: attributes are typed by the store that reads them
export type Item = Record<string, any>;

export const tableName = () => required('TABLE_NAME');

/** One item, as the last write left it. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const { Item: item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }),
  );
  return item;
}

/** Several items in one request (per hundred), in the order of their keys, as the last writes left them. */
export async function getItems(wanted: readonly Key[]): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  const unique = [...new Map(wanted.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
  for (let start = 0; start < unique.length; start += 100) {
    let pending: Key[] = unique.slice(start, start + 100).map(({ pk, sk }) => ({ pk, sk }));
    for (let attempt = 0; pending.length > 0; attempt++) {
      if (attempt > 0) await pause(attempt);
      const table = tableName();
      const answer = await documents.send(
        new BatchGetCommand({ RequestItems: { [table]: { Keys: pending, ConsistentRead: true } } }),
      );
      for (const item of answer.Responses?.[table] ?? []) found.set(`${item.pk} ${item.sk}`, item);
      pending = (answer.UnprocessedKeys?.[table]?.Keys ?? []) as unknown as Key[];
      if (attempt >= 6 && pending.length > 0) throw new Error('The table did not answer for all keys');
    }
  }
  return wanted.map((key) => found.get(`${key.pk} ${key.sk}`));
}

/**
 * Several items as they stood together at one instant (100 at most), which `getItems` does not promise. Costs
 * twice as much, and fails when one of them is being written: use it where the answer depends on the whole.
 * @returns undefined when a write got in between
 */
export async function snapshot(wanted: readonly Key[]): Promise<(Item | undefined)[] | undefined> {
  try {
    const TransactItems = wanted.map(({ pk, sk }) => ({ Get: { TableName: tableName(), Key: { pk, sk } } }));
    const answer = await documents.send(new TransactGetCommand({ TransactItems }));
    return (answer.Responses ?? []).map((response) => response.Item);
  } catch (error) {
    if (error instanceof TransactionCanceledException) return undefined;
    throw error;
  }
}
