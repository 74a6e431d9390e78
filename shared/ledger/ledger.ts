import type { Currency } from '../core/money.ts';

/**
 * The books of one organizer in one currency. Money only ever moves from one account to another, so that all
 * accounts together hold zero at every instant:
 *
 * | what happens                      | from      | to        |
 * |-----------------------------------|-----------|-----------|
 * | an order is paid and has its seat | clearing  | available |
 * | it is refunded                    | available | clearing  |
 * | a payout is asked for             | available | pending   |
 * | it arrived                        | pending   | paidOut   |
 * | it was given up                   | pending   | available |
 * | it arrived after all              | available | paidOut   |
 *
 * `clearing` stands for what the platform took in for the organizer, and is negative by as much as the others
 * hold. `available` falls below zero when tickets are refunded whose price was paid out already: then the
 * organizer owes it, and what is sold next makes up for it.
 */
export const accounts = ['clearing', 'available', 'pending', 'paidOut'] as const;
export type Account = (typeof accounts)[number];

/** An order as far as the books go. Amounts are minor units. */
export interface SoldOrder {
  orderId: string;
  tierId: string;
  quantity: number;
  /** What the organizer gets: the price of the tickets. */
  net: bigint;
  /** What the platform keeps. */
  fee: bigint;
}

/** What one event did to the books. Entries are never changed; one that was wrong is answered by another. */
export interface Entry {
  /** Says what it is about, so that it can exist only once. */
  id: string;
  organizerId: string;
  currency: Currency;
  /** What is added to each account, in minor units: together zero. */
  postings: Partial<Record<Account, bigint>>;
  /**
   * The orders it credits, all of one event and booked together; or the one it takes back: then quantity, net and
   * fee are negative.
   */
  orders?: SoldOrder[];
  /** ISO 8601 in UTC. */
  at: string;
}

type Book = Pick<Entry, 'organizerId' | 'currency'>;

/**
 * Credits orders of one event that are booked together. One entry for all of them, since each costs as much as
 * several orders take up in it. That an order is credited only once is up to the order, which is marked in the same
 * transaction: see book-orders.ts.
 */
export function saleCredit(
  { organizerId, currency }: Book,
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

/** Takes back exactly what an order brought. */
export function orderReversal(
  { organizerId, currency }: Book,
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

/** What happens to the money of a payout. */
export const payoutEntries = {
  reserved: ['available', 'pending'],
  completed: ['pending', 'paidOut'],
  returned: ['pending', 'available'],
  completedLate: ['available', 'paidOut'],
} as const satisfies Record<string, [Account, Account]>;

export function payoutEntry(
  { organizerId, currency }: Book,
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

/** What the ids of all entries about an event's orders begin with. */
export function orderEntries(eventId: string): string {
  return `order#${eventId}#`;
}

function move(amount: bigint, from: Account, to: Account): Entry['postings'] {
  return { [from]: -amount, [to]: amount };
}
