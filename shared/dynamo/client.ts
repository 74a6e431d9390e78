import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb';
import { required } from '../runtime/config.ts';
import { abortAtDeadline, retry } from '../runtime/retry.ts';
import type { Key } from './keys.ts';

/** An item as the table holds it. */
export type Item = Record<string, unknown>;

export const tableName = () => required('TABLE_NAME');

/**
 * Returns a number attribute as a number, or as a bigint when it is an integer that a double can't hold: amounts in
 * wei are.
 */
export function wrapNumbers(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
}

let client: DynamoDBDocumentClient | undefined;

/**
 * The document client, made at first use. The SDK sends a request up to four times, with jitter, when the table
 * throttles, fails, or gives no answer within 3 s; a transaction carries the same token each time, so that it happens
 * once. Pass `abortAtDeadline()` to every call: see runtime/retry.ts.
 */
export function documentClient(): DynamoDBDocumentClient {
  client ??= DynamoDBDocumentClient.from(
    new DynamoDBClient({
      maxAttempts: 4,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
    }),
    { marshallOptions: { removeUndefinedValues: true }, unmarshallOptions: { wrapNumbers } },
  );
  return client;
}

/** One item, as the last write left it. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const { Item: item } = await documentClient().send(
    new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }),
    abortAtDeadline(),
  );
  return item;
}

/** Several items in one request (per hundred), in the order of their keys, as the last writes left them. */
export async function getItems(wanted: readonly Key[]): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  const unique = [...new Map(wanted.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
  for (let start = 0; start < unique.length; start += 100) {
    let pending: Record<string, unknown>[] = unique
      .slice(start, start + 100)
      .map(({ pk, sk }) => ({ pk, sk }));
    await retryUnprocessed(async () => {
      const table = tableName();
      const answer = await documentClient().send(
        new BatchGetCommand({ RequestItems: { [table]: { Keys: pending, ConsistentRead: true } } }),
        abortAtDeadline(),
      );
      for (const item of answer.Responses?.[table] ?? []) found.set(`${item.pk} ${item.sk}`, item);
      pending = answer.UnprocessedKeys?.[table]?.Keys ?? [];
      return pending.length;
    });
  }
  return wanted.map((key) => found.get(`${key.pk} ${key.sk}`));
}

class Unprocessed extends Error {}

/**
 * Repeats a batch until the table has processed all of it.
 * @param request does the part that is left, and returns how much the table did not process
 * @throws when the table keeps leaving some of it; the rest may have been done
 */
export async function retryUnprocessed(request: () => Promise<number>): Promise<void> {
  const all = async () => {
    const left = await request();
    if (left > 0) throw new Unprocessed(`The table left ${left} items of a batch`);
  };
  await retry(all, {
    isRetryable: (error) => error instanceof Unprocessed,
    exhausted: (error) => error as Error,
  });
}

/**
 * Several items as they stood together at one instant (100 at most), which `getItems` does not promise. Costs
 * twice as much, and fails when one of them is being written: use it where the answer depends on the whole.
 * @returns undefined when a write got in between
 */
export async function snapshot(wanted: readonly Key[]): Promise<(Item | undefined)[] | undefined> {
  try {
    const TransactItems = wanted.map(({ pk, sk }) => ({ Get: { TableName: tableName(), Key: { pk, sk } } }));
    const answer = await documentClient().send(new TransactGetCommand({ TransactItems }), abortAtDeadline());
    return (answer.Responses ?? []).map((response) => response.Item);
  } catch (error) {
    if (error instanceof TransactionCanceledException) return undefined;
    throw error;
  }
}
