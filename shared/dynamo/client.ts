import { type AttributeValue, DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { required } from '../env.ts';
import type { Key } from './keys.ts';

/** An item as the table holds it. */
// biome-ignore lint/suspicious/noExplicitAny: attributes are typed by the store that reads them
export type Item = Record<string, any>;

/** The SDK repeats throttled, failed and timed-out calls by itself, with jitter, within these bounds. */
const client = new DynamoDBClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});

const unmarshallOptions = {
  // Amounts may exceed what a double holds: those come back as bigint, everything else as number.
  wrapNumbers: (text: string) => {
    const number = Number(text);
    return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
  },
};

export const documents = DynamoDBDocumentClient.from(client, {
  marshallOptions: { removeUndefinedValues: true },
  // A copy, since the client adds an option of its own to what it is given.
  unmarshallOptions: { ...unmarshallOptions },
});

/** The item that came along with a failed condition, which the SDK leaves in DynamoDB's own notation. */
export function plainItem(item: Record<string, AttributeValue> | undefined): Item | undefined {
  return item && unmarshall(item, unmarshallOptions);
}

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

/** Waits a random while that grows with the attempt. */
export function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longestPause(attempt)));
}

/** In milliseconds: 25, 50, 100, … 800. */
export function longestPause(attempt: number): number {
  return 25 * 2 ** Math.min(attempt - 1, 5);
}
