import type { Currency } from '../money.ts';

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
  eventId: string;
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
  /** The order it credits, or takes back: then quantity, net and fee are negative. */
  order?: SoldOrder;
  /** ISO 8601 in UTC. */
  at: string;
}

type Book = Pick<Entry, 'organizerId' | 'currency'>;

export function orderCredit({ organizerId, currency }: Book, order: SoldOrder, at: string): Entry {
  const { eventId, orderId, net } = order;
  return {
    id: creditId(eventId, orderId),
    organizerId,
    currency,
    postings: move(net, 'clearing', 'available'),
    order,
    at,
  };
}

/** Takes back exactly what a credit brought. */
export function orderReversal(credit: Entry & { order: SoldOrder }, at: string): Entry {
  const { order } = credit;
  const reversed = { ...order, quantity: -order.quantity, net: -order.net, fee: -order.fee };
  const postings = move(order.net, 'available', 'clearing');
  return {
    ...credit,
    id: `${orderEntries(order.eventId)}${order.orderId}#reversal`,
    postings,
    order: reversed,
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

export function creditId(eventId: string, orderId: string): string {
  return `${orderEntries(eventId)}${orderId}#credit`;
}

function move(amount: bigint, from: Account, to: Account): Entry['postings'] {
  return { [from]: -amount, [to]: amount };
}
