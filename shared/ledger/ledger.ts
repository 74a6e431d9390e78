import * as z from 'zod';
import type { Currency } from '../core/money.ts';
import { currency, minorUnits } from '../core/schemas.ts';

/**
 * Accounts of one organizer's ledger in one currency. Every entry moves an amount from one account to another, so all
 * accounts always sum to zero:
 *
 * | event                                            | from      | to        |
 * |--------------------------------------------------|-----------|-----------|
 * | an order is paid, with PAYOUTS_FROM=sale         | clearing  | available |
 * | an order is paid, with PAYOUTS_FROM=event        | clearing  | upcoming  |
 * | the event has ended                              | upcoming  | available |
 * | an order is refunded whose credit is upcoming    | upcoming  | clearing  |
 * | an order is refunded whose credit is available   | available | clearing  |
 * | a payout is requested                            | available | pending   |
 * | a payout completes                               | pending   | paidOut   |
 * | a payout is given up                             | pending   | available |
 * | a payout completes after all                     | available | paidOut   |
 *
 * `clearing` is the platform's debt to the organizer: the negative sum of the other accounts. `available` falls below
 * zero when an order is refunded whose price was already paid out. Later sales cover the difference.
 */
export const accounts = ['clearing', 'upcoming', 'available', 'pending', 'paidOut'] as const;
export type Account = (typeof accounts)[number];

/** An order as an entry records it. Amounts are minor units. */
const soldOrder = z.object({
  orderId: z.string(),
  tierId: z.string(),
  quantity: z.number(),
  /** The organizer's share: the price of the tickets. */
  net: minorUnits,
  /** The platform's share. */
  fee: minorUnits,
  /** The code it was placed with, and what that took off the price; absent without a code. */
  code: z.string().optional(),
  discount: minorUnits.optional(),
});
export type SoldOrder = z.infer<typeof soldOrder>;

const ordersOfEntry = z.object({ currency, orders: z.array(soldOrder) });

/** An order with the currency of its entry. */
export type SoldIn = SoldOrder & { currency: Currency };

/** Parses the orders of a stored entry. @throws ZodError for an item without orders */
export function toSoldOrders(item: unknown): SoldIn[] {
  const { currency, orders } = ordersOfEntry.parse(item);
  return orders.map((order) => ({ ...order, currency }));
}

const total = minorUnits.default(0n);
/** The totals of an organizer's accounts in one currency, in minor units. */
const balance = z.object({
  currency,
  clearing: total,
  upcoming: total,
  available: total,
  pending: total,
  paidOut: total,
});
export type Balance = z.infer<typeof balance>;

/** Parses a stored item as a balance. @throws ZodError for any other item */
export function toBalance(item: unknown): Balance {
  return balance.parse(item);
}

/**
 * What one event has in the account `upcoming`. Its credits are released together, once the event has ended; those of
 * sales after a release wait for the next one.
 */
const upcoming = z.object({
  organizerId: z.string(),
  eventId: z.string(),
  currency,
  /** Minor units. */
  amount: minorUnits,
  /** The number of the next release, from 1 on. An order stores the number of the release that its credit waits for. */
  release: z.number(),
  /** When to look whether the event has ended, ISO 8601 in UTC; absent when nothing waits. */
  dueAt: z.string().optional(),
});
export type Upcoming = z.infer<typeof upcoming>;

/** Parses a stored item as what an event has in `upcoming`. @throws ZodError for any other item */
export function toUpcoming(item: unknown): Upcoming {
  return upcoming.parse(item);
}

/** A ledger entry. Entries never change; another entry corrects a wrong one. */
export interface Entry {
  /** Derived from the recorded event, so that the entry exists only once. */
  id: string;
  organizerId: string;
  currency: Currency;
  /** The amounts added to the accounts, in minor units; they sum to zero. */
  postings: Partial<Record<Account, bigint>>;
  /**
   * The orders that it credits, all of one event; or the order whose credit it reverses, with negative quantity
   * and amounts.
   */
  orders?: SoldOrder[];
  /** ISO 8601 in UTC. */
  at: string;
}

type Owner = Pick<Entry, 'organizerId' | 'currency'>;

/** The accounts that hold the credit of an order: `upcoming` until its event has ended, where payouts wait for it. */
export type CreditAccount = 'upcoming' | 'available';

/**
 * Builds the entry that credits orders of one event. Each order is credited only once, since the same transaction marks
 * it: see post-orders.ts.
 */
export function saleCredit(
  { organizerId, currency }: Owner,
  eventId: string,
  orders: readonly [SoldOrder, ...SoldOrder[]],
  at: string,
  to: CreditAccount = 'available',
): Entry {
  const net = orders.reduce((sum, order) => sum + order.net, 0n);
  return {
    id: `${orderEntries(eventId)}${orders[0].orderId}#credit`,
    organizerId,
    currency,
    postings: move(net, 'clearing', to),
    orders: [...orders],
    at,
  };
}

/** Builds the entry that reverses the credit of one order. */
export function orderReversal(
  { organizerId, currency }: Owner,
  eventId: string,
  credited: SoldOrder,
  at: string,
  from: CreditAccount = 'available',
): Entry {
  const { orderId, quantity, net, fee, discount } = credited;
  return {
    id: `${orderEntries(eventId)}${orderId}#reversal`,
    organizerId,
    currency,
    postings: move(net, from, 'clearing'),
    orders: [{ ...credited, quantity: -quantity, net: -net, fee: -fee, discount: discount && -discount }],
    at,
  };
}

/** Builds the entry that makes what an event has in `upcoming` available. */
export function eventRelease(
  { organizerId, eventId, currency, amount, release }: Upcoming,
  at: string,
): Entry {
  return {
    id: `release#${eventId}#${currency}#${release}`,
    organizerId,
    currency,
    postings: move(amount, 'upcoming', 'available'),
    at,
  };
}

/** The accounts between which each step of a payout moves its amount. */
export const payoutEntries = {
  reserved: ['available', 'pending'],
  completed: ['pending', 'paidOut'],
  returned: ['pending', 'available'],
  completedLate: ['available', 'paidOut'],
} as const satisfies Record<string, [Account, Account]>;

export function payoutEntry(
  { organizerId, currency }: Owner,
  payoutId: string,
  what: keyof typeof payoutEntries,
  amount: bigint,
  at: string,
): Entry {
  const [from, to] = payoutEntries[what];
  // The same id as for `completed`, so that only one of them is posted.
  const id = `payout#${payoutId}#${what === 'completedLate' ? 'completed' : what}`;
  return { id, organizerId, currency, postings: move(amount, from, to), at };
}

/** Returns the prefix of the ids of all entries about an event's orders. */
export function orderEntries(eventId: string): string {
  return `order#${eventId}#`;
}

function move(amount: bigint, from: Account, to: Account): Entry['postings'] {
  return { [from]: -amount, [to]: amount };
}
