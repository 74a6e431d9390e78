import { createHmac, timingSafeEqual } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { invalid } from '../core/errors.ts';
import { abortAtDeadline } from '../runtime/retry.ts';
import { readKeyList } from '../runtime/secrets.ts';
import { documentClient, getItems, type Item, tableName } from './client.ts';
import { type IndexName, type Key, table } from './keys.ts';

/** The page of a list to read. */
export interface PageQuery {
  /** The largest number of items, 1 to 100. */
  limit: number;
  /** The end of the previous page; absent for the first page. */
  cursor?: string;
}

interface QuerySource {
  partition: string;
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
}

/** The maximum number of items that one request examines, even when the filter selects few of them. */
const maximumExamined = 500;

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
  for (let examined = 0; examined < maximumExamined; ) {
    const { entries, lastPosition } = await sendQuery(source, position, source.filter ? 100 : limit);
    for (const [index, { key, item }] of entries.entries()) {
      examined++;
      position = positionOf(source, key);
      if (!item || (source.filter && !source.filter(item))) continue;
      items.push(item);
      if (items.length === limit) {
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

/** The list that a cursor belongs to. */
type CursorScope = Pick<QuerySource, 'index' | 'partition' | 'prefix' | 'from' | 'to'>;

type Position = Record<string, string>;

async function sendQuery(source: QuerySource, start: Position | undefined, limit: number) {
  const index = table.indexes.find(({ name }) => name === source.index);
  const { partitionKey, sortKey } = index ?? table;
  const range =
    source.from !== undefined || source.to !== undefined
      ? ' AND #sort BETWEEN :from AND :to'
      : source.prefix
        ? ' AND begins_with(#sort, :prefix)'
        : '';
  const answer = await documentClient().send(
    new QueryCommand({
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
      ConsistentRead: !index,
      ExclusiveStartKey: start,
      Limit: limit,
    }),
    abortAtDeadline(),
  );
  const keys = answer.Items ?? [];
  // An index projects keys only, and may list items that have changed or been deleted. The cursor contains the listed
  // key; the response contains the current item.
  const items = index ? await getItems(keys as Key[]) : keys;
  return {
    entries: keys.map((key, keyIndex) => ({ key, item: items[keyIndex] })),
    lastPosition: answer.LastEvaluatedKey as Position | undefined,
  };
}

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
