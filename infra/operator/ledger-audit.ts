import { accounts } from '../../shared/ledger/ledger.ts';
import { type RawItem, scan } from './scan.ts';

/** Something that does not add up: minor units, or how many there are. */
export interface Discrepancy {
  what: string;
  expected: bigint;
  found: bigint;
}

/**
 * Recomputes from the entries what every balance should hold, and from orders and payouts what the entries should
 * say. Reads the whole table; money that moves while it reads may show up as a discrepancy.
 */
export async function auditLedger(): Promise<Discrepancy[]> {
  const items = await scan();
  const entries = items.filter(({ sk }) => sk.startsWith('ENTRY#'));
  const balances = items.filter(({ sk }) => sk.startsWith('BALANCE#'));
  const payouts = items.filter(({ sk }) => sk === 'PAYOUT');
  const orders = new Map(items.filter(({ sk }) => sk === 'ORDER').map((order) => [order.id, order]));
  const mentions = Map.groupBy(
    entries.flatMap(({ orders = [] }): RawItem[] => orders),
    ({ orderId }) => orderId,
  );
  return [
    ...entries.flatMap((entry) => auditEntry(entry, orders)),
    ...balances.flatMap((balance) => auditBalance(balance, entries, payouts)),
    ...[...orders.values()].flatMap((order) => auditOrder(order, mentions.get(order.id) ?? [])),
  ].filter(({ expected, found }) => expected !== found);
}

/** An entry moves money and makes none; one about orders moves what they add up to. */
function auditEntry(
  { pk, sk, postings, orders: mentioned }: RawItem,
  orders: Map<string, RawItem>,
): Discrepancy[] {
  const what = `${pk} ${sk}`;
  const inAll = { what: `${what} in all`, expected: 0n, found: sum(Object.values(postings)) };
  if (!mentioned) return [inAll];
  const net = sum(mentioned.map((sold: RawItem) => sold.net));
  const known = mentioned.filter(({ orderId }: RawItem) => orders.has(orderId));
  return [
    inAll,
    { what: `${what} available`, expected: net, found: BigInt(postings.available) },
    { what: `${what} known orders`, expected: BigInt(mentioned.length), found: BigInt(known.length) },
  ];
}

function auditBalance(balance: RawItem, entries: RawItem[], payouts: RawItem[]): Discrepancy[] {
  const { pk, sk, currency } = balance;
  const posted = entries.filter((entry) => entry.pk === pk && entry.currency === currency);
  const sent = (...statuses: string[]) =>
    payouts.filter(
      (payout) =>
        pk === `LEDGER#${payout.organizerId}` &&
        payout.currency === currency &&
        statuses.includes(payout.status),
    );
  const compare = (account: string, expected: unknown[]) => ({
    what: `${pk} ${sk} ${account}`,
    expected: sum(expected),
    found: BigInt(balance[account] ?? 0),
  });
  return [
    ...accounts.map((account) =>
      compare(
        account,
        posted.map(({ postings }) => postings[account]),
      ),
    ),
    compare(
      'pending',
      sent('PENDING', 'SENT').map(({ amount }) => amount),
    ),
    compare(
      'paidOut',
      sent('COMPLETED').map(({ amount }) => amount),
    ),
  ];
}

/**
 * A booked order that has its seat was credited, once; one that goes back to the buyer was if it is marked so. A
 * refund takes that back, once.
 * @param mentions the order as the entries have it
 */
function auditOrder(order: RawItem, mentions: RawItem[]): Discrepancy[] {
  const { id, isBooked, holdsSeat, fulfilmentStatus, refund, isCredited } = order;
  const mustBeCredited = isBooked && holdsSeat && fulfilmentStatus !== 'refund-due';
  const credits = mustBeCredited || isCredited ? 1 : 0;
  const reversals = refund ? credits : 0;
  const credited = mentions.filter(({ quantity }) => quantity > 0);
  const compare = (what: string, expected: number | bigint, found: number | bigint) => ({
    what: `order ${id} ${what}`,
    expected: BigInt(expected),
    found: BigInt(found),
  });
  const brought = BigInt(credits - reversals);
  const fee = BigInt(order.totalAmount) - BigInt(order.subtotal);
  return [
    compare('credits', credits, credited.length),
    compare('mark of its credit', credits, isCredited ? 1 : 0),
    compare('reversals', reversals, mentions.length - credited.length),
    compare('credit', brought * BigInt(order.subtotal), sum(mentions.map(({ net }) => net))),
    compare('fee', brought * fee, sum(mentions.map(({ fee }) => fee))),
    compare('tickets', brought * BigInt(order.quantity), sum(mentions.map(({ quantity }) => quantity))),
  ];
}

function sum(amounts: unknown[]): bigint {
  return amounts.reduce<bigint>((total, amount) => total + BigInt((amount ?? 0) as bigint), 0n);
}
