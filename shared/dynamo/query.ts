import { createHmac, timingSafeEqual } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { invalid } from '../core/errors.ts';
import { abortAtDeadline } from '../runtime/retry.ts';
import { keyList } from '../runtime/secrets.ts';
import { documentClient, getItems, type Item, tableName } from './client.ts';
import type { Key } from './keys.ts';
import { type IndexName, table } from './keys.ts';

/** Which page of a list. */
export interface PageQuery {
  /** At most so many, 1 to 100. */
  limit: number;
  /** Where the page before ended; without one it is the first. */
  cursor?: string;
}

interface Source {
  partition: string;
  /** An index to walk; without one it is the table's own partition. */
  index?: IndexName;
  /** Only sort keys that begin so. */
  prefix?: string;
  /** Only sort keys from here, and up to there. */
  from?: string;
  to?: string;
  /** Ascending sort keys; default is descending, which is the newest first. */
  ascending?: boolean;
  /** Only items for which this holds. */
  filter?: (item: Item) => boolean;
}

/** How many items one request looks at before it hands back a cursor, however few it found. */
const maximumExamined = 500;

/**
 * A page of a list.
 * @throws DomainError 400 for a cursor that is not one we gave out for this very list
 */
export async function queryPage(
  source: Source,
  { limit, cursor }: PageQuery,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const items: Item[] = [];
  let position = cursor === undefined ? undefined : await openCursor(source, cursor);
  for (let examined = 0; examined < maximumExamined; ) {
    const { listed, last } = await query(source, position, source.filter ? 100 : limit);
    for (const [at, { key, item }] of listed.entries()) {
      examined++;
      position = positionOf(source, key);
      if (!item || (source.filter && !source.filter(item))) continue;
      items.push(item);
      if (items.length === limit) {
        const isLast = at === listed.length - 1 && !last;
        return { items, nextCursor: isLast ? null : await sealCursor(source, position) };
      }
    }
    if (!last) return { items, nextCursor: null };
  }
  return { items, nextCursor: position ? await sealCursor(source, position) : null };
}

/** Everything a source holds, page after page; for work, and for answers that stop early. */
export async function* queryAll(source: Omit<Source, 'filter'>, pageSize = 100): AsyncGenerator<Item> {
  let position: Position | undefined;
  do {
    const { listed, last } = await query(source, position, pageSize);
    for (const { item } of listed) if (item) yield item;
    position = last;
  } while (position);
}

/** What a cursor is bound to. */
type List = Pick<Source, 'index' | 'partition' | 'prefix' | 'from' | 'to'>;

type Position = Record<string, string>;

async function query(source: Source, start: Position | undefined, limit: number) {
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
  // An index holds keys only, and may still list what has moved or gone: the key is where the list goes on,
  // the item is what it is now.
  const items = index ? await getItems(keys as Key[]) : keys;
  return {
    listed: keys.map((key, at) => ({ key, item: items[at] })),
    last: answer.LastEvaluatedKey as Position | undefined,
  };
}

function positionOf(source: Source, listed: Item): Position {
  const index = table.indexes.find(({ name }) => name === source.index);
  const names = [table.partitionKey, table.sortKey, ...(index ? [index.partitionKey, index.sortKey] : [])];
  return Object.fromEntries(names.map((name) => [name, String(listed[name])]));
}

/** Seals a position of a list as a cursor that opens no other list, and can't be made by hand. */
export async function sealCursor(source: List, position: Position): Promise<string> {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url');
  const [key] = await keyList('JWT_ACCESS_SECRET');
  return `${text}.${seal(key, source, text)}`;
}

/** Opens a cursor of a list. @throws DomainError 400 for one that is not of this list */
export async function openCursor(source: List, cursor: string): Promise<Position> {
  const [text = '', ...seals] = cursor.split('.');
  const givenSeal = Buffer.from(seals.join('.'));
  for (const key of await keyList('JWT_ACCESS_SECRET')) {
    const expected = Buffer.from(seal(key, source, text));
    if (givenSeal.length === expected.length && timingSafeEqual(givenSeal, expected)) {
      return JSON.parse(Buffer.from(text, 'base64url').toString());
    }
  }
  throw invalid('cursor is not valid', 'invalid-cursor');
}

/** Binds a cursor to its list: it opens no other one, and can't be made by hand. */
function seal(key: string, { index, partition, prefix, from, to }: List, text: string): string {
  const list = JSON.stringify([index, partition, prefix, from, to]);
  return createHmac('sha256', key).update(`cursor:${list}:${text}`).digest('base64url').slice(0, 22);
}
