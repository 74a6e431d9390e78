import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb';
import { requiredSetting } from '../runtime/config.ts';
import { abortAtDeadline, retry } from '../runtime/retry.ts';
import type { Key } from './keys.ts';

/** A stored item. */
export type Item = Record<string, unknown>;

export const tableName = () => requiredSetting('TABLE_NAME');

/**
 * Converts a number attribute to a number, or to a bigint when a number can't represent it exactly, as with amounts in
 * wei.
 */
export function wrapNumbers(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
}

let client: DynamoDBDocumentClient | undefined;

/**
 * Returns the document client, created at first use. The SDK sends a request up to four times, with jitter, when the
 * table throttles, fails, or does not answer within 3 s. All attempts of a transaction have the same idempotency token,
 * so that the table executes it once. Pass `abortAtDeadline()` to every call: see runtime/retry.ts.
 */
export function documentClient(): DynamoDBDocumentClient {
  if (client) return client;
  const baseClient = new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
  // This middleware copies each request and response for a logger, but no logger is configured.
  baseClient.middlewareStack.remove('loggerMiddleware');
  client = DynamoDBDocumentClient.from(baseClient, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers },
  });
  return client;
}

/** Reads an item, strongly consistent. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const { Item: item } = await documentClient().send(
    new GetCommand({ TableName: tableName(), Key: key, ConsistentRead: true }),
    abortAtDeadline(),
  );
  return item;
}

/** Reads several items, strongly consistent, in requests of up to 100. Returns them in the order of their keys. */
export async function getItems(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const itemsByKey = new Map<string, Item>();
  const uniqueKeys = [...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
  for (let start = 0; start < uniqueKeys.length; start += 100) {
    let pendingKeys: Record<string, unknown>[] = uniqueKeys
      .slice(start, start + 100)
      .map(({ pk, sk }) => ({ pk, sk }));
    await retryUnprocessed(async () => {
      const table = tableName();
      const answer = await documentClient().send(
        new BatchGetCommand({ RequestItems: { [table]: { Keys: pendingKeys, ConsistentRead: true } } }),
        abortAtDeadline(),
      );
      for (const item of answer.Responses?.[table] ?? []) itemsByKey.set(`${item.pk} ${item.sk}`, item);
      pendingKeys = answer.UnprocessedKeys?.[table]?.Keys ?? [];
      return pendingKeys.length;
    });
  }
  return keys.map((key) => itemsByKey.get(`${key.pk} ${key.sk}`));
}

class Unprocessed extends Error {}

/**
 * Repeats a batch until the table has processed all its items.
 * @param request sends the unprocessed items, and returns how many the table did not process
 * @throws Unprocessed when items stay unprocessed at the deadline; the table may have processed others
 */
export async function retryUnprocessed(request: () => Promise<number>): Promise<void> {
  const requestAll = async () => {
    const unprocessed = await request();
    if (unprocessed > 0) throw new Unprocessed(`The table did not process ${unprocessed} items of a batch`);
  };
  await retry(requestAll, {
    isRetryable: (error) => error instanceof Unprocessed,
    exhaustedError: (error) => error as Error,
  });
}

/**
 * Reads up to 100 items in one snapshot, unlike `getItems`. It costs twice as much, and fails during a concurrent write
 * of an item. Use it where a decision depends on several items.
 * @returns undefined after a conflict with a concurrent write
 */
export async function readSnapshot(keys: readonly Key[]): Promise<(Item | undefined)[] | undefined> {
  try {
    const TransactItems = keys.map(({ pk, sk }) => ({ Get: { TableName: tableName(), Key: { pk, sk } } }));
    const answer = await documentClient().send(new TransactGetCommand({ TransactItems }), abortAtDeadline());
    return (answer.Responses ?? []).map((response) => response.Item);
  } catch (error) {
    if (error instanceof TransactionCanceledException) return undefined;
    throw error;
  }
}
