import { createHmac, timingSafeEqual } from 'node:crypto';
import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb';
import { invalid, TableUnavailable } from '../core/errors.ts';
import { requiredSetting } from '../runtime/config.ts';
import { abortAtDeadline, retry } from '../runtime/retry.ts';
import { readKeyList } from '../runtime/secrets.ts';
import { traceCall } from '../runtime/telemetry.ts';
import { watchAvailability } from './availability.ts';
import { type IndexName, type Key, table } from './keys.ts';

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
  watchAvailability(baseClient);
  baseClient.middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        traceCall('dynamodb', commandName ?? '', () => next(args)),
    { step: 'initialize', name: 'traceCall' },
  );
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
 * @throws TableUnavailable when items stay unprocessed at the deadline; the table may have processed others
 */
export async function retryUnprocessed(request: () => Promise<number>): Promise<void> {
  const requestAll = async () => {
    const unprocessed = await request();
    if (unprocessed > 0) throw new Unprocessed(`The table did not process ${unprocessed} items of a batch`);
  };
  await retry(requestAll, {
    isRetryable: (error) => error instanceof Unprocessed,
    exhaustedError: (error) => new TableUnavailable(error),
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

/** The page of a list to read. */
export interface PageQuery {
  /** The largest number of items, 1 to 100. */
  limit: number;
  /** The end of the previous page; absent for the first page. */
  cursor?: string;
}

interface QuerySource {
  /** The partition of the table or index; or several, whose items are one list by their sort keys. */
  partition: string | readonly string[];
  /** The index to query; by default the table. */
  index?: IndexName;
  /** Selects sort keys with this prefix. */
  prefix?: string;
  /** The first and the last sort key, both included. */
  from?: string;
  to?: string;
  /** Sorts in ascending order; the default is descending, the newest first. */
  ascending?: boolean;
  /** Selects items. */
  filter?: (item: Item) => boolean;
  /**
   * What an item costs the caller, where items differ much, in bytes to read for it. A page ends early at its maximum cost.
   * @param isSelected whether the page has the item
   */
  costOf?: (item: Item, isSelected: boolean) => number;
}

/** The maximum number of items that one request examines, even when the filter selects few of them. */
const maximumExamined = 500;
/** The cost at which a page ends, and the number of items that are read at once where it is counted. */
const maximumCost = 1_500_000;
const costlyChunk = 25;

/**
 * Reads a page of a list.
 * @throws DomainError 400 for a cursor that this service did not issue for this list
 */
export async function queryPage(
  source: QuerySource,
  { limit, cursor }: PageQuery,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const items: Item[] = [];
  let position = cursor === undefined ? undefined : await verifyCursor(source, cursor);
  const chunk = Math.min(source.filter ? 100 : limit, source.costOf ? costlyChunk : 100);
  let cost = 0;
  for (let examined = 0; examined < maximumExamined; ) {
    const { entries, lastPosition } = await sendQuery(source, position, chunk);
    for (const [index, { key, item }] of entries.entries()) {
      examined++;
      position = positionOf(source, key);
      if (!item) continue;
      const isSelected = source.filter?.(item) ?? true;
      if (isSelected) items.push(item);
      cost += source.costOf?.(item, isSelected) ?? 0;
      if (items.length === limit || cost >= maximumCost) {
        const isLast = index === entries.length - 1 && !lastPosition;
        return { items, nextCursor: isLast ? null : await signCursor(source, position) };
      }
    }
    if (!lastPosition) return { items, nextCursor: null };
  }
  return { items, nextCursor: position ? await signCursor(source, position) : null };
}

/** Yields all items of a source. It reads the next page only when the caller asks for more items. */
export async function* queryAll(source: Omit<QuerySource, 'filter'>, pageSize = 100): AsyncGenerator<Item> {
  let position: Position | undefined;
  do {
    const { entries, lastPosition } = await sendQuery(source, position, pageSize);
    for (const { item } of entries) if (item) yield item;
    position = lastPosition;
  } while (position);
}

/** Counts the items of a source, up to a maximum. The table examines them without sending them. */
export async function countItems(
  { partition, ...source }: Omit<QuerySource, 'filter'>,
  maximum: number,
): Promise<number> {
  let count = 0;
  let unread = [partition]
    .flat()
    .map((name) => ({ partition: name, start: undefined as Position | undefined }));
  while (unread.length > 0 && count < maximum) {
    const limit = Math.ceil((maximum - count) / unread.length);
    const answers = await Promise.all(
      unread.map(async (part) => {
        const query = toQuery({ ...source, partition: part.partition }, part.start, limit);
        const command = new QueryCommand({ ...query, Select: 'COUNT' });
        const { Count = 0, LastEvaluatedKey } = await documentClient().send(command, abortAtDeadline());
        return { count: Count, partition: part.partition, start: LastEvaluatedKey as Position | undefined };
      }),
    );
    for (const answer of answers) count += answer.count;
    unread = answers.filter(({ start }) => start);
  }
  return Math.min(count, maximum);
}

/** The list that a cursor belongs to. */
type CursorScope = Pick<QuerySource, 'index' | 'partition' | 'prefix' | 'from' | 'to'>;

type Position = Record<string, string>;

/** Reads the next entries of a list, up to a limit. */
async function sendQuery(source: QuerySource, start: Position | undefined, limit: number) {
  const [partition = '', ...others] = [source.partition].flat();
  const { keys, lastPosition } =
    others.length === 0
      ? await queryPartition({ ...source, partition }, start, limit)
      : await queryShards(source, [partition, ...others], start, limit);
  // An index projects keys only, and may list items that have changed or been deleted. The cursor contains the listed
  // key; the response contains the current item.
  const items = source.index ? await getItems(keys) : keys;
  return { entries: keys.map((key, keyIndex) => ({ key, item: items[keyIndex] })), lastPosition };
}

/**
 * Reads the next keys of a list that is spread over partitions. Each partition returns a few more than its expected
 * share; what lies behind the last key of a partition that has more waits for the next request.
 */
async function queryShards(
  source: QuerySource,
  shards: readonly string[],
  start: Position | undefined,
  limit: number,
): Promise<QueriedKeys> {
  const { partitionKey, sortKey } = keySchemaOf(source);
  const order = source.ascending ? 1 : -1;
  const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -order : order);
  const sortKeyOf = (item: Item | undefined) => String(item?.[sortKey]);
  // The position is a key of one partition. In the others, no item has the same sort key.
  const bound = start && (source.ascending ? { from: start[sortKey] } : { to: start[sortKey] });
  const shardLimit = 2 * Math.ceil(limit / shards.length) + 2;
  const pages = await Promise.all(
    shards.map((partition) =>
      start?.[partitionKey] === partition
        ? queryPartition({ ...source, partition }, start, shardLimit)
        : queryPartition({ ...source, ...bound, partition }, undefined, shardLimit),
    ),
  );
  const [horizon] = pages
    .flatMap(({ keys, lastPosition }) => (lastPosition ? [sortKeyOf(keys.at(-1))] : []))
    .sort(compare);
  const keys = pages
    .flatMap((page) => page.keys)
    .sort((one, other) => compare(sortKeyOf(one), sortKeyOf(other)));
  const listed = keys
    .filter((key) => horizon === undefined || compare(sortKeyOf(key), horizon) <= 0)
    .slice(0, limit);
  const last = listed.at(-1);
  const hasMore = horizon !== undefined || listed.length < keys.length;
  return { keys: listed, lastPosition: hasMore && last ? positionOf(source, last) : undefined };
}

interface QueriedKeys {
  /** The keys of an index, or the items of the table. */
  keys: (Key & Item)[];
  lastPosition: Position | undefined;
}

async function queryPartition(
  source: PartitionSource,
  start: Position | undefined,
  limit: number,
): Promise<QueriedKeys> {
  const answer = await documentClient().send(
    new QueryCommand(toQuery(source, start, limit)),
    abortAtDeadline(),
  );
  return {
    keys: (answer.Items ?? []) as (Key & Item)[],
    lastPosition: answer.LastEvaluatedKey as Position | undefined,
  };
}

type PartitionSource = QuerySource & { partition: string };

function toQuery(source: PartitionSource, start: Position | undefined, limit: number): QueryCommandInput {
  const { partitionKey, sortKey } = keySchemaOf(source);
  const range =
    source.from !== undefined || source.to !== undefined
      ? ' AND #sort BETWEEN :from AND :to'
      : source.prefix
        ? ' AND begins_with(#sort, :prefix)'
        : '';
  return {
    TableName: tableName(),
    IndexName: source.index,
    KeyConditionExpression: `#partition = :partition${range}`,
    ExpressionAttributeNames: { '#partition': partitionKey, ...(range && { '#sort': sortKey }) },
    ExpressionAttributeValues: {
      ':partition': source.partition,
      ...(range.includes(':from') && { ':from': source.from ?? ' ', ':to': source.to ?? '\uffff' }),
      ...(range.includes(':prefix') && { ':prefix': source.prefix }),
    },
    ScanIndexForward: source.ascending ?? false,
    ConsistentRead: !source.index,
    ExclusiveStartKey: start,
    Limit: limit,
  };
}

const keySchemaOf = ({ index }: QuerySource) => table.indexes.find(({ name }) => name === index) ?? table;

function positionOf(source: QuerySource, item: Item): Position {
  const index = table.indexes.find(({ name }) => name === source.index);
  const names = [table.partitionKey, table.sortKey, ...(index ? [index.partitionKey, index.sortKey] : [])];
  return Object.fromEntries(names.map((name) => [name, String(item[name])]));
}

/** Returns a position in a list as a cursor. Its MAC makes it valid for this list only. */
export async function signCursor(source: CursorScope, position: Position): Promise<string> {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url');
  const [key] = await readKeyList('JWT_ACCESS_SECRET');
  return `${text}.${computeMac(key, source, text)}`;
}

/** Verifies a cursor and returns its position. @throws DomainError 400 for a cursor of another list */
export async function verifyCursor(source: CursorScope, cursor: string): Promise<Position> {
  const [text = '', ...macParts] = cursor.split('.');
  const givenMac = Buffer.from(macParts.join('.'));
  for (const key of await readKeyList('JWT_ACCESS_SECRET')) {
    const expected = Buffer.from(computeMac(key, source, text));
    if (givenMac.length === expected.length && timingSafeEqual(givenMac, expected)) {
      return JSON.parse(Buffer.from(text, 'base64url').toString());
    }
  }
  throw invalid('cursor is not valid', 'invalid-cursor');
}

/** Computes the MAC of a cursor, which also covers its list. */
function computeMac(key: string, { index, partition, prefix, from, to }: CursorScope, text: string): string {
  const list = JSON.stringify([index, partition, prefix, from, to]);
  return createHmac('sha256', key).update(`cursor:${list}:${text}`).digest('base64url').slice(0, 22);
}
