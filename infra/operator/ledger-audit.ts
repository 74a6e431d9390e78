import type { Item } from '../../shared/dynamo/client.ts';
import { accounts } from '../../shared/ledger/entry.ts';
import { scan } from './scan.ts';

/** Something that does not add up, in minor units. */
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
  const orders = items.filter(({ sk }) => sk === 'ORDER');
  return [
    ...entries.map(auditEntry),
    ...balances.flatMap((balance) => auditBalance(balance, entries, payouts)),
    ...orders.flatMap((order) => auditOrder(order, entries)),
  ].filter(({ expected, found }) => expected !== found);
}

function auditEntry({ pk, sk, postings }: Item): Discrepancy {
  return { what: `${pk} ${sk} in all`, expected: 0n, found: sum(Object.values(postings)) };
}

function auditBalance(balance: Item, entries: Item[], payouts: Item[]): Discrepancy[] {
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

/** An order brings its price while it has its seat; one of a cancelled event may or may not have been booked before. */
function auditOrder({ id, isBooked, holdsSeat, fulfilmentStatus, refund, subtotal }: Item, entries: Item[]) {
  if (fulfilmentStatus === 'refund-due' && holdsSeat && !refund) return [];
  const found = sum(entries.filter(({ order }) => order?.orderId === id).map(({ order }) => order.net));
  return [{ what: `order ${id} credit`, expected: isBooked && holdsSeat ? BigInt(subtotal) : 0n, found }];
}

function sum(amounts: unknown[]): bigint {
  return amounts.reduce<bigint>((total, amount) => total + BigInt((amount ?? 0) as bigint), 0n);
}
