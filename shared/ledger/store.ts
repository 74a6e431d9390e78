import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Currency } from '../core/money.ts';
import { documentClient, type Item, tableName } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import { type Condition, put, update, type Write } from '../dynamo/write.ts';
import { type Account, accounts, type Entry, orderEntries, type SoldOrder } from './ledger.ts';

/** What the accounts of an organizer hold in one currency, in minor units. */
export type Balance = Record<Account, bigint> & { currency: Currency };

/** The entry was made before: whatever it stands for is done. */
export class EntryExists extends Error {}

/**
 * The writes that make an entry, always within a transaction: the entry, and the balance it changes.
 * @param covered what the balance must fulfil for it
 * @throws EntryExists, or what `covered` refuses, from the transaction
 */
export function post(entry: Entry, covered?: Condition): Write[] {
  return [insertEntry(entry), changeBalance(entry, entry.postings, covered)];
}

/** As `post`, for entries of one organizer in one currency: their balance changes once, by what they add up to. */
export function postAll(entries: readonly Entry[]): Write[] {
  const [first] = entries;
  if (!first) return [];
  const sums: Entry['postings'] = {};
  for (const { postings } of entries) {
    for (const account of accounts) {
      const amount = postings[account];
      if (amount !== undefined) sums[account] = (sums[account] ?? 0n) + amount;
    }
  }
  return [...entries.map(insertEntry), changeBalance(first, sums)];
}

function insertEntry({ organizerId, id, ...entry }: Entry): Write {
  return put(
    { ...keys.ledgerEntry(organizerId, id), ...entry },
    {
      when: 'attribute_not_exists(#pk)',
      refused: () => new EntryExists(`Entry ${id} was made before`),
    },
  );
}

function changeBalance(
  { organizerId, currency }: Pick<Entry, 'organizerId' | 'currency'>,
  postings: Entry['postings'],
  covered?: Condition,
): Write {
  const change = { set: { currency }, add: postings as Record<string, bigint> };
  return update(keys.balance(organizerId, currency), change, covered);
}

function toBalance(item: Item): Balance {
  const amounts = accounts.map((account) => [account, BigInt(item[account] ?? 0)]);
  return { currency: item.currency, ...Object.fromEntries(amounts) };
}

/** The balances of an organizer, by currency. */
export async function readBalances(organizerId: string): Promise<Balance[]> {
  const { pk, sk: prefix } = keys.balance(organizerId, '');
  const balances: Balance[] = [];
  for await (const item of queryAll({ partition: pk, prefix, ascending: true })) {
    balances.push(toBalance(item));
  }
  return balances;
}

/**
 * The orders of an event as the books have them: credited ones, and refunded ones once more with everything
 * negative. 3,000 to a request and more, since only what is asked for crosses the wire, but all is read.
 */
export async function* soldOrders(organizerId: string, eventId: string): AsyncGenerator<SoldOrder> {
  const { pk, sk } = keys.ledgerEntry(organizerId, orderEntries(eventId));
  let position: Item | undefined;
  do {
    const answer = await documentClient().send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
        ProjectionExpression: '#orders',
        ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk', '#orders': 'orders' },
        ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
        ConsistentRead: true,
        ExclusiveStartKey: position,
      }),
    );
    for (const item of answer.Items ?? []) yield* toSoldOrders(item);
    position = answer.LastEvaluatedKey;
  } while (position);
}

function toSoldOrders({ orders }: Item): SoldOrder[] {
  return orders.map((order: Item) => ({ ...order, net: BigInt(order.net), fee: BigInt(order.fee) }));
}
