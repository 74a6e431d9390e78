import * as z from 'zod';
import type { Currency } from '../core/money.ts';
import { currency, minorUnits } from '../core/schemas.ts';

/**
 * The ledger of one organizer in one currency. Money moves from one account to another, so that all accounts
 * together hold zero at every instant:
 *
 * | event                             | from      | to        |
 * |-----------------------------------|-----------|-----------|
 * | an order is paid and has its seat | clearing  | available |
 * | it is refunded                    | available | clearing  |
 * | a payout is asked for             | available | pending   |
 * | it arrived                        | pending   | paidOut   |
 * | it was given up                   | pending   | available |
 * | it arrived after all              | available | paidOut   |
 *
 * `clearing` is the platform's debt to the organizer: negative by what the others hold. `available` falls below zero
 * when tickets are refunded whose price was paid out already; the next sales make up for it.
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

const ordersOfEntry = z.object({ orders: z.array(soldOrder) });

/** Reads the orders of a stored entry. @throws ZodError for an item without them */
export function toSoldOrders(item: unknown): SoldOrder[] {
  return ordersOfEntry.parse(item).orders;
}

const held = minorUnits.default(0n);
/** What the accounts of an organizer hold in one currency, in minor units. */
const balance = z.object({ currency, clearing: held, available: held, pending: held, paidOut: held });
export type Balance = z.infer<typeof balance>;

/** Reads a stored item as a balance. @throws ZodError for an item that is none */
export function toBalance(item: unknown): Balance {
  return balance.parse(item);
}

/** One posting to the ledger. Entries never change; a wrong one is corrected by another. */
export interface Entry {
  /** Derived from what it records, so that it exists only once. */
  id: string;
  organizerId: string;
  currency: Currency;
  /** What is added to each account, in minor units: together zero. */
  postings: Partial<Record<Account, bigint>>;
  /**
   * The orders it credits, all of one event and posted together; or the one it reverses: then quantity, net and
   * fee are negative.
   */
  orders?: SoldOrder[];
  /** ISO 8601 in UTC. */
  at: string;
}

type Owner = Pick<Entry, 'organizerId' | 'currency'>;

/**
 * Makes the entry that credits orders of one event which are posted together. An order is credited only once
 * because it is marked in the same transaction: see post-orders.ts.
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

/** Makes the entry that reverses the credit of one order. */
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

/** The accounts that each step of a payout moves its amount between. */
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
  // A payout arrives once, whenever it does.
  const id = `payout#${payoutId}#${what === 'completedLate' ? 'completed' : what}`;
  return { id, organizerId, currency, postings: move(amount, from, to), at };
}

/** The prefix of the ids of all entries about an event's orders. */
export function orderEntries(eventId: string): string {
  return `order#${eventId}#`;
}

function move(amount: bigint, from: Account, to: Account): Entry['postings'] {
  return { [from]: -amount, [to]: amount };
}
