import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { currencies } from '../../core/money.ts';
import { dueAttributes, keys } from '../../dynamo/keys.ts';
import { documentClient, getItem, getItems, type Item, queryAll, tableName } from '../../dynamo/read.ts';
import { type Condition, put, update, type Write } from '../../dynamo/write.ts';
import {
  accounts,
  type Balance,
  type LedgerEntry,
  orderEntryPrefix,
  type PostedOrder,
  toBalance,
  toPostedOrders,
  toUpcomingEarnings,
  type UpcomingEarnings,
  unlockEntry,
} from './ledger.ts';

/** The entry exists already: an earlier call posted it. */
export class EntryExists extends Error {}

/**
 * Posts an entry and changes its balance, for one transaction.
 * @param balanceCondition a condition on the balance
 * @throws EntryExists, or the error of `balanceCondition`, from the transaction
 */
export function postEntry(entry: LedgerEntry, balanceCondition?: Condition): Write[] {
  return [insertEntry(entry), changeBalance(entry, entry.postings, balanceCondition)];
}

/**
 * Like `postEntry`, for several entries of one organizer in one currency. The balance changes in a single write, by
 * their sum.
 */
export function postEntries(entries: readonly LedgerEntry[]): Write[] {
  const [first] = entries;
  if (!first) return [];
  const sums: LedgerEntry['postings'] = {};
  for (const { postings } of entries) {
    for (const account of accounts) {
      const amount = postings[account];
      if (amount !== undefined) sums[account] = (sums[account] ?? 0n) + amount;
    }
  }
  return [...entries.map(insertEntry), changeBalance(first, sums)];
}

function insertEntry({ organizerId, id, ...entry }: LedgerEntry): Write {
  return put(
    { ...keys.ledgerEntry(organizerId, id), ...entry },
    {
      when: 'attribute_not_exists(#pk)',
      orThrow: () => new EntryExists(`Entry ${id} exists`),
    },
  );
}

function changeBalance(
  { organizerId, currency }: Pick<LedgerEntry, 'organizerId' | 'currency'>,
  postings: LedgerEntry['postings'],
  balanceCondition?: Condition,
): Write {
  const change = { set: { currency }, add: postings as Record<string, bigint> };
  return update(keys.balance(organizerId, currency), change, balanceCondition);
}

/** The organizer's available balance is below zero: orders were refunded after payouts. */
export class BalanceNegative extends Error {}

/**
 * Requires an organizer's available balance not to be below zero.
 * @throws BalanceNegative from the transaction
 */
export function requireNonNegativeBalance({
  organizerId,
  currency,
}: Pick<LedgerEntry, 'organizerId' | 'currency'>): Write {
  const condition = {
    when: '#available >= :zero',
    values: { zero: 0n },
    orThrow: () => new BalanceNegative(`${organizerId} has a negative balance in ${currency}`),
  };
  return update(keys.balance(organizerId, currency), { set: { currency } }, condition);
}

/** An event's upcoming earnings have changed since they were read. The caller reads them and decides again. */
export class UpcomingEarningsChanged extends Error {}

type UpcomingKey = Pick<UpcomingEarnings, 'organizerId' | 'eventId' | 'currency'>;

/**
 * Reads an event's upcoming earnings: its credits in the account `upcoming`, which become available once the event has
 * ended. An event without credits so far has the amount 0, and is at settlement batch 1.
 */
export async function readUpcomingEarnings(key: UpcomingKey): Promise<UpcomingEarnings> {
  const item = await getItem(upcomingKey(key));
  return item ? toUpcomingEarnings(item) : { ...key, amount: 0n, settlementBatch: 1 };
}

/** Returns whether an event ever had upcoming earnings, also in a currency that it had before. */
export async function hasHadUpcomingEarnings(key: Omit<UpcomingKey, 'currency'>): Promise<boolean> {
  const items = await getItems(currencies.map((currency) => upcomingKey({ ...key, currency })));
  return items.some((item) => item !== undefined);
}

/**
 * Returns the upcoming earnings that contain an order's credit; undefined once the credit is available. An order stores
 * the number of the settlement batch that makes its credit available: the credit is upcoming while the event's next
 * batch has this number.
 */
export async function findUpcomingCredit(
  owner: Pick<UpcomingKey, 'organizerId' | 'currency'>,
  { eventId, settlementBatch }: { eventId: string; settlementBatch?: number },
): Promise<UpcomingEarnings | undefined> {
  if (settlementBatch === undefined) return undefined;
  const upcoming = await readUpcomingEarnings({ ...owner, eventId });
  return upcoming.settlementBatch === settlementBatch ? upcoming : undefined;
}

/**
 * Adds the credit of orders to an event's upcoming earnings.
 * @param eventEndsAt when the event ends (epoch milliseconds)
 * @throws UpcomingEarningsChanged from the transaction
 */
export function addUpcomingEarnings(upcoming: UpcomingEarnings, amount: bigint, eventEndsAt: number): Write {
  const { organizerId, eventId, currency, settlementBatch } = upcoming;
  const set = { organizerId, eventId, currency, settlementBatch, ...dueAttributes(eventId, eventEndsAt) };
  return update(upcomingKey(upcoming), { set, add: { amount } }, whenUpcoming(upcoming));
}

/**
 * Subtracts the credit of a refunded order from its event's upcoming earnings.
 * @throws UpcomingEarningsChanged from the transaction
 */
export function subtractUpcomingEarnings(upcoming: UpcomingEarnings, amount: bigint): Write {
  return update(upcomingKey(upcoming), { add: { amount: -amount } }, whenUpcoming(upcoming));
}

/**
 * Makes an event's `upcoming` credits available.
 * @throws UpcomingEarningsChanged from the transaction
 */
export function unlockCredits(upcoming: UpcomingEarnings, timestamp: string): Write[] {
  const set = { amount: 0n, settlementBatch: upcoming.settlementBatch + 1, ...neverDue };
  return [
    update(upcomingKey(upcoming), { set }, whenUnchanged(upcoming)),
    ...postEntry(unlockEntry(upcoming, timestamp)),
  ];
}

/**
 * Sets when to check again whether an event has ended.
 * @param nextDueAt epoch milliseconds; after `never`, the next credit of an order sets the time
 * @throws UpcomingEarningsChanged from the write
 */
export function postponeUnlock(upcoming: UpcomingEarnings, nextDueAt: number | 'never'): Write {
  const set = nextDueAt === 'never' ? neverDue : dueAttributes(upcoming.eventId, nextDueAt);
  return update(upcomingKey(upcoming), { set }, whenUnchanged(upcoming));
}

const neverDue = { duePk: undefined, dueAt: undefined };

function upcomingKey({ organizerId, eventId, currency }: UpcomingKey) {
  return keys.upcoming(organizerId, eventId, currency);
}

/** Requires that the credits were not unlocked. Other credits and refunds may have changed the amount. */
function whenUpcoming({ eventId, settlementBatch }: UpcomingEarnings): Condition {
  const when = '(attribute_not_exists(#settlementBatch) OR #settlementBatch = :settlementBatch)';
  return {
    when,
    values: { settlementBatch },
    orThrow: () => new UpcomingEarningsChanged(`The earnings of ${eventId} were unlocked`),
  };
}

function whenUnchanged({ eventId, settlementBatch, amount }: UpcomingEarnings): Condition {
  const when = '#settlementBatch = :settlementBatch AND #amount = :amount';
  return {
    when,
    values: { settlementBatch, amount },
    orThrow: () => new UpcomingEarningsChanged(`The earnings of ${eventId} have changed`),
  };
}

/** Reads the balances of an organizer, by currency. */
export async function readBalances(organizerId: string): Promise<Balance[]> {
  const { pk, sk: prefix } = keys.balance(organizerId, '');
  const balances: Balance[] = [];
  for await (const item of queryAll({ partition: pk, prefix, ascending: true })) {
    balances.push(toBalance(item));
  }
  return balances;
}

/**
 * Reads the orders of an event from the ledger. A refunded order occurs twice, the second time with negative amounts. A
 * page of the query (1 MB of entries) has about 3,000 orders, and more when orders were posted together.
 */
export async function* readSoldOrders(organizerId: string, eventId: string): AsyncGenerator<PostedOrder> {
  const { pk, sk } = keys.ledgerEntry(organizerId, orderEntryPrefix(eventId));
  let startKey: Item | undefined;
  do {
    const page = await documentClient().send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
        ProjectionExpression: '#currency, #at, #orders',
        ExpressionAttributeNames: {
          '#pk': 'pk',
          '#sk': 'sk',
          '#currency': 'currency',
          '#at': 'at',
          '#orders': 'orders',
        },
        ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
        ConsistentRead: true,
        ExclusiveStartKey: startKey,
      }),
    );
    for (const item of page.Items ?? []) yield* toPostedOrders(item);
    startKey = page.LastEvaluatedKey;
  } while (startKey);
}

/** Other orders of the organizer have taken the numbers since they were read. The caller reads them and decides again. */
export class InvoiceNumbersChanged extends Error {}

/**
 * Takes numbers from the sequence of an organizer's invoices and credit notes, for the transaction that stores them. So a
 * number is taken exactly when it is stored: the sequence has no gaps.
 */
export class InvoiceNumbers {
  readonly #organizerId: string;
  /** The last number that is taken so far; undefined before the first. */
  #stored: number | undefined;
  #taken = 0;

  constructor(organizerId: string) {
    this.#organizerId = organizerId;
  }

  /** Takes the next numbers. 0 of them read nothing. @returns the first */
  async take(count: number): Promise<number> {
    if (count > 0 && this.#taken === 0) {
      const item = await getItem(keys.invoiceNumbers(this.#organizerId));
      this.#stored = item && z.number().parse(item.last);
    }
    const first = (this.#stored ?? 0) + this.#taken + 1;
    this.#taken += count;
    return first;
  }

  /** Returns the write that takes the numbers; none when there are none. @throws InvoiceNumbersChanged from the transaction */
  writes(): Write[] {
    if (this.#taken === 0) return [];
    const previous = this.#stored;
    const set = { last: (previous ?? 0) + this.#taken };
    const condition = {
      ...(previous === undefined
        ? { when: 'attribute_not_exists(#last)' }
        : { when: '#last = :previous', values: { previous } }),
      orThrow: () => new InvoiceNumbersChanged(`The numbers of ${this.#organizerId} were taken`),
    };
    return [update(keys.invoiceNumbers(this.#organizerId), { set }, condition)];
  }
}
