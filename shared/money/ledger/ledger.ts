import * as z from 'zod';
import type { Currency } from '../../core/money.ts';
import { currency, minorUnits } from '../../core/schemas.ts';

/**
 * Accounts of one organizer's ledger in one currency. Every entry moves an amount from one account to another, so all
 * accounts always sum to zero:
 * | when                                           | from      | to        |
 * |------------------------------------------------|-----------|-----------|
 * | an order is paid, with PAYOUTS_FROM=sale       | clearing  | available |
 * | an order is paid, with PAYOUTS_FROM=event      | clearing  | upcoming  |
 * | the event has ended                            | upcoming  | available |
 * | an order with an upcoming credit is refunded   | upcoming  | clearing  |
 * | an order with an available credit is refunded  | available | clearing  |
 * | a credited order is disputed                   | upcoming or available | disputed |
 * | the dispute ends without a return              | disputed  | upcoming or available |
 * | a disputed order is refunded                   | disputed  | clearing  |
 * | a payout is requested                          | available | pending   |
 * | a payout completes                             | pending   | paidOut   |
 * | a payout fails                                 | pending   | available |
 * | a payout completes after it failed             | available | paidOut   |
 * | an operator has paid an organizer by hand      | available | paidOut   |
 *
 * `clearing` is the negated sum of the other accounts. That sum is the organizer's share of all orders that were not
 * refunded. When an order is disputed or refunded after its credit was paid out, `available` falls below zero. Later
 * sales cover the difference.
 */
export const accounts = ['clearing', 'upcoming', 'available', 'disputed', 'pending', 'paidOut'] as const;
export type Account = (typeof accounts)[number];

/** An item of an order in a ledger entry. Amounts are minor units. */
const soldItem = z.object({
  tierId: z.string(),
  quantity: z.number(),
  /** The organizer's share. */
  net: minorUnits,
  /** The platform's share. */
  fee: minorUnits,
  /** The discount of the order's code; absent for 0. */
  discount: minorUnits.optional(),
});
export type SoldItem = z.infer<typeof soldItem>;

/** An order in a ledger entry. */
const soldOrder = z.object({
  orderId: z.string(),
  items: z.array(soldItem),
  /** The discount code of the order; absent without one. */
  code: z.string().optional(),
  /** Whether it is the reversal of a part: the order stays valid. */
  isPart: z.boolean().optional(),
});
export type SoldOrder = z.infer<typeof soldOrder>;

const ordersOfEntry = z.object({ currency, at: z.string(), orders: z.array(soldOrder) });

/** An order with the currency of its entry, and when that was posted: ISO 8601 in UTC. */
export type PostedOrder = SoldOrder & { currency: Currency; at: string };

/** Parses the orders of a stored entry. @throws ZodError for an item without orders */
export function toPostedOrders(item: unknown): PostedOrder[] {
  const { currency, at, orders } = ordersOfEntry.parse(item);
  return orders.map((order) => ({ ...order, currency, at }));
}

const total = minorUnits.default(0n);
/** The totals of an organizer's accounts in one currency, in minor units. */
const balance = z.object({
  currency,
  clearing: total,
  upcoming: total,
  available: total,
  disputed: total,
  pending: total,
  paidOut: total,
});
export type Balance = z.infer<typeof balance>;

export function toBalance(item: unknown): Balance {
  return balance.parse(item);
}

/**
 * One event's part of the account `upcoming`. Its credits are unlocked together, once the event has ended. Credits of
 * later sales form the next settlement batch.
 */
const upcomingEarnings = z.object({
  organizerId: z.string(),
  eventId: z.string(),
  currency,
  /** Minor units. */
  amount: minorUnits,
  /**
   * The number of the current settlement batch, from 1 on. Each order stores the number of the batch that makes its
   * credit available.
   */
  settlementBatch: z.number(),
  /** When to check whether the event has ended, ISO 8601 in UTC; absent without credits to unlock. */
  dueAt: z.string().optional(),
});
export type UpcomingEarnings = z.infer<typeof upcomingEarnings>;

export function toUpcomingEarnings(item: unknown): UpcomingEarnings {
  return upcomingEarnings.parse(item);
}

/** A ledger entry. Entries are immutable; another entry corrects a wrong entry. */
export interface LedgerEntry {
  /** Derived from the order, unlock or payout step that the entry records, so each is posted once. */
  id: string;
  organizerId: string;
  currency: Currency;
  /** The amounts added to the accounts, in minor units; they sum to zero. */
  postings: Partial<Record<Account, bigint>>;
  /**
   * The orders that the entry credits, all of one event. In a reversal, the one order with negative quantities and
   * amounts, or what a part of it reverses.
   */
  orders?: SoldOrder[];
  /** When it was posted, ISO 8601 in UTC. */
  at: string;
}

type AccountOwner = Pick<LedgerEntry, 'organizerId' | 'currency'>;

/**
 * The accounts that hold the credit of an order: `upcoming` until the event has ended when PAYOUTS_FROM=event,
 * otherwise `available`.
 */
export type CreditAccount = 'upcoming' | 'available';

/**
 * Builds the entry that credits orders of one event. Each order is credited once: the same transaction marks the
 * order as posted: see `postOrders`.
 */
export function saleCreditEntry(
  { organizerId, currency }: AccountOwner,
  eventId: string,
  orders: readonly [SoldOrder, ...SoldOrder[]],
  timestamp: string,
  to: CreditAccount = 'available',
): LedgerEntry {
  const net = orders.reduce((sum, order) => sum + netOf(order), 0n);
  return {
    id: `${orderEntryPrefix(eventId)}${orders[0].orderId}#credit`,
    organizerId,
    currency,
    postings: transferPostings(net, 'clearing', to),
    orders: [...orders],
    at: timestamp,
  };
}

/**
 * Builds the entry that reverses the credit of one order, or of a part.
 * @param reversed what it takes back
 * @param options.from where the credit is
 * @param options.number the number of the partial refund, from 1 on
 */
export function orderReversalEntry(
  { organizerId, currency }: AccountOwner,
  eventId: string,
  reversed: SoldOrder,
  timestamp: string,
  { from = 'available', number }: { from?: CreditAccount | 'disputed'; number?: number } = {},
): LedgerEntry {
  const { orderId, items } = reversed;
  return {
    id: `${orderEntryPrefix(eventId)}${orderId}#reversal${number === undefined ? '' : `#${number}`}`,
    organizerId,
    currency,
    postings: transferPostings(netOf(reversed), from, 'clearing'),
    orders: [{ ...reversed, items: items.map(negate) }],
    at: timestamp,
  };
}

function negate({ quantity, net, fee, discount, ...item }: SoldItem): SoldItem {
  return { ...item, quantity: -quantity, net: -net, fee: -fee, ...(discount && { discount: -discount }) };
}

/** Returns the organizer's share of an order. */
export function netOf({ items }: Pick<SoldOrder, 'items'>): bigint {
  return items.reduce((sum, { net }) => sum + net, 0n);
}

/** Builds the entry that makes an event's `upcoming` credits available. */
export function unlockEntry(
  { organizerId, eventId, currency, amount, settlementBatch }: UpcomingEarnings,
  timestamp: string,
): LedgerEntry {
  return {
    id: `unlock#${eventId}#${currency}#${settlementBatch}`,
    organizerId,
    currency,
    postings: transferPostings(amount, 'upcoming', 'available'),
    at: timestamp,
  };
}

export type DisputeStep = 'reserved' | 'released';

/**
 * Builds the entry that reserves the organizer's share of a disputed order, or releases it. The order's own condition
 * ensures that it is posted once: an order may be disputed again.
 */
export function disputeEntry(
  { organizerId, currency }: AccountOwner,
  orderId: string,
  step: DisputeStep,
  share: bigint,
  timestamp: string,
  account: CreditAccount,
): LedgerEntry {
  const [from, to] = step === 'reserved' ? [account, 'disputed' as const] : (['disputed', account] as const);
  return {
    id: `dispute#${orderId}#${step}#${timestamp}`,
    organizerId,
    currency,
    postings: transferPostings(share, from, to),
    at: timestamp,
  };
}

/** The accounts between which each step of a payout moves its amount. */
export const payoutSteps = {
  reserved: ['available', 'pending'],
  completed: ['pending', 'paidOut'],
  returned: ['pending', 'available'],
  completedLate: ['available', 'paidOut'],
} as const satisfies Record<string, [Account, Account]>;

/** Builds the entry of one step of a payout. */
export function payoutEntry(
  { organizerId, currency }: AccountOwner,
  payoutId: string,
  step: keyof typeof payoutSteps,
  amount: bigint,
  timestamp: string,
): LedgerEntry {
  const [from, to] = payoutSteps[step];
  // `completed` and `completedLate` share an id, so a payout is completed only once.
  const id = `payout#${payoutId}#${step === 'completedLate' ? 'completed' : step}`;
  return { id, organizerId, currency, postings: transferPostings(amount, from, to), at: timestamp };
}

export const manualPayoutPrefix = 'manual-payout#';

/** Builds the entry of a payment that an operator has made by hand. @param transaction identifies it, so it is posted once */
export function manualPayoutEntry(
  { organizerId, currency }: AccountOwner,
  transaction: string,
  amount: bigint,
  timestamp: string,
): LedgerEntry {
  const id = manualPayoutPrefix + transaction;
  return {
    id,
    organizerId,
    currency,
    postings: transferPostings(amount, 'available', 'paidOut'),
    at: timestamp,
  };
}

/** Returns the prefix of the ids of all entries about an event's orders. */
export function orderEntryPrefix(eventId: string): string {
  return `order#${eventId}#`;
}

function transferPostings(amount: bigint, from: Account, to: Account): LedgerEntry['postings'] {
  return { [from]: -amount, [to]: amount };
}
