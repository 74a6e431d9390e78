import * as z from 'zod';
import type { Currency } from '../core/money.ts';
import { currency, minorUnits } from '../core/schemas.ts';

/**
 * Accounts of one organizer's ledger in one currency. Every entry moves an amount from one account to another, so all
 * accounts always sum to zero:
 *
 * | event                             | from      | to        |
 * |-----------------------------------|-----------|-----------|
 * | an order is paid                  | clearing  | available |
 * | an order is refunded              | available | clearing  |
 * | a payout is requested             | available | pending   |
 * | a payout completes                | pending   | paidOut   |
 * | a payout is given up              | pending   | available |
 * | a payout completes after all      | available | paidOut   |
 *
 * `clearing` is the platform's debt to the organizer: the negative sum of the other accounts. `available` falls below
 * zero when an order is refunded whose price was already paid out. Later sales cover the difference.
 */
export const accounts = ['clearing', 'available', 'pending', 'paidOut'] as const;
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
const balance = z.object({ currency, clearing: total, available: total, pending: total, paidOut: total });
export type Balance = z.infer<typeof balance>;

/** Parses a stored item as a balance. @throws ZodError for any other item */
export function toBalance(item: unknown): Balance {
  return balance.parse(item);
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
   * The orders that it credits, all of one event; or the order whose credit it reverses, with negative quantity, net
   * and fee.
   */
  orders?: SoldOrder[];
  /** ISO 8601 in UTC. */
  at: string;
}

type Owner = Pick<Entry, 'organizerId' | 'currency'>;

/**
 * Builds the entry that credits orders of one event. Each order is credited only once, since the same transaction marks
 * it: see post-orders.ts.
 */
export function saleCredit(
  { organizerId, currency }: Owner,
  eventId: string,
  orders: readonly [SoldOrder, ...SoldOrder[]],
  at: string,
): Entry {
  const net = orders.reduce((sum, order) => sum + order.net, 0n);
  return {
    id: `${orderEntries(eventId)}${orders[0].orderId}#credit`,
    organizerId,
    currency,
    postings: move(net, 'clearing', 'available'),
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
): Entry {
  const { orderId, quantity, net, fee } = credited;
  return {
    id: `${orderEntries(eventId)}${orderId}#reversal`,
    organizerId,
    currency,
    postings: move(net, 'available', 'clearing'),
    orders: [{ ...credited, quantity: -quantity, net: -net, fee: -fee }],
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
