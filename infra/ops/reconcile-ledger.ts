import { accounts, manualPayoutPrefix, netOf } from '../../shared/money/ledger/ledger.ts';
import { type Order, toOrder } from '../../shared/orders/order.ts';
import { remainingSoldOrder } from '../../shared/orders/shares.ts';
import { type RawItem, scanTable } from './table.ts';

/** A value that differs from the recomputed one: an amount in minor units, or a count. */
export interface LedgerDifference {
  subject: string;
  expected: bigint;
  found: bigint;
}

/**
 * Recomputes every balance from entries and payouts, and every entry from its orders. A scan is not a snapshot, so a
 * posting or payout during the reconciliation may appear as a difference.
 */
export async function findLedgerDifferences(read = scanTable): Promise<LedgerDifference[]> {
  const items = await read();
  const entries = items.filter(({ sk }) => sk.startsWith('ENTRY#'));
  const balances = items.filter(({ sk }) => sk.startsWith('BALANCE#'));
  const payouts = items.filter(({ sk }) => sk === 'PAYOUT');
  const upcomingItems = items.filter(({ sk }) => sk.startsWith('UPCOMING#'));
  const orders = new Map(items.filter(({ sk }) => sk === 'ORDER').map((item) => [item.id, toOrder(item)]));
  const linesByOrder = Map.groupBy(
    entries.flatMap(({ orders = [], postings }): RawItem[] =>
      orders.map((order: RawItem) => ({ ...order, isUpcoming: postings.upcoming !== undefined })),
    ),
    ({ orderId }) => orderId,
  );
  const disputedOrders = [...orders.values()].filter(
    ({ openDisputes, isCredited }) => openDisputes && isCredited,
  );
  return [
    ...entries.flatMap((entry) => checkEntry(entry, orders)),
    ...balances.flatMap((balance) => checkBalance(balance, entries, payouts, upcomingItems, disputedOrders)),
    ...upcomingItems.map((upcomingItem) => checkUpcoming(upcomingItem, [...orders.values()])),
    ...[...orders.values()].flatMap((order) => checkOrder(order, linesByOrder.get(order.id) ?? [])),
  ].filter(({ expected, found }) => expected !== found);
}

/** Checks that an entry's postings sum to zero and, for an entry about orders, that they match the orders' amounts. */
function checkEntry(
  { pk, sk, postings, orders: entryOrders }: RawItem,
  orders: Map<string, Order>,
): LedgerDifference[] {
  const subject = `${pk} ${sk}`;
  const total = { subject: `${subject} total`, expected: 0n, found: sum(Object.values(postings)) };
  if (!entryOrders) return [total];
  const net = sum(entryOrders.flatMap(({ items }: RawItem) => items.map((item: RawItem) => item.net)));
  const account = ['upcoming', 'disputed'].find((name) => postings[name] !== undefined) ?? 'available';
  const storedOrders = entryOrders.filter(({ orderId }: RawItem) => orders.has(orderId));
  return [
    total,
    { subject: `${subject} ${account}`, expected: net, found: BigInt(postings[account]) },
    {
      subject: `${subject} known orders`,
      expected: BigInt(entryOrders.length),
      found: BigInt(storedOrders.length),
    },
  ];
}

function checkBalance(
  balance: RawItem,
  entries: RawItem[],
  payouts: RawItem[],
  upcomingItems: RawItem[],
  disputedOrders: Order[],
): LedgerDifference[] {
  const { pk, sk, currency } = balance;
  const accountEntries = entries.filter((entry) => entry.pk === pk && entry.currency === currency);
  const creditedIds = new Set(
    accountEntries.flatMap(({ orders = [] }) => orders.map(({ orderId }: RawItem) => orderId)),
  );
  const payoutsWithStatus = (...statuses: string[]) =>
    payouts.filter(
      (payout) =>
        pk === `LEDGER#${payout.organizerId}` &&
        payout.currency === currency &&
        statuses.includes(payout.status),
    );
  const compare = (account: string, expected: unknown[]) => ({
    subject: `${pk} ${sk} ${account}`,
    expected: sum(expected),
    found: BigInt(balance[account] ?? 0),
  });
  return [
    ...accounts.map((account) =>
      compare(
        account,
        accountEntries.map(({ postings }) => postings[account]),
      ),
    ),
    compare(
      'upcoming',
      upcomingItems
        .filter((upcomingItem) => upcomingItem.pk === pk && upcomingItem.currency === currency)
        .map(({ amount }) => amount),
    ),
    compare('disputed', disputedOrders.filter(({ id }) => creditedIds.has(id)).map(shareOfOrganizer)),
    compare(
      'pending',
      payoutsWithStatus('PENDING', 'SENT').map(({ amount }) => amount),
    ),
    compare('paidOut', [
      ...payoutsWithStatus('COMPLETED').map(({ amount }) => amount),
      ...accountEntries
        .filter(({ sk }) => sk.startsWith(`ENTRY#${manualPayoutPrefix}`))
        .map(({ postings }) => postings.paidOut),
    ]),
  ];
}

/** Checks that an event's amount in `upcoming` is the sum of the credits of its settlement batch. */
function checkUpcoming(
  { pk, sk, eventId, currency, amount, settlementBatch }: RawItem,
  orders: Order[],
): LedgerDifference {
  const waitingOrders = orders.filter(
    (order) =>
      order.eventId === eventId &&
      order.currency === currency &&
      order.isCredited &&
      order.settlementBatch === settlementBatch &&
      !order.openDisputes,
  );
  const expected = sum(waitingOrders.map(shareOfOrganizer));
  return { subject: `${pk} ${sk} amount`, expected, found: BigInt(amount) };
}

/**
 * Checks that a posted order that holds its tickets was credited exactly once, and that each refund reversed its part of
 * the credit exactly once. An order due for a refund was credited only if `isCredited` is set.
 * @param lines the order's lines in the entries
 */
function checkOrder(order: Order, lines: RawItem[]): LedgerDifference[] {
  const { id, isPosted, holdsInventory, fulfilmentStatus, refund, isCredited, settlementBatch } = order;
  const mustBeCredited = isPosted && holdsInventory && fulfilmentStatus !== 'refund-due';
  const credits = mustBeCredited || isCredited ? 1 : 0;
  const { refunds = [] } = order;
  const reversals = credits * (refunds.length + (refund ? 1 : 0) + (refund?.isKeptReturned ? 1 : 0));
  const creditLines = lines.filter(({ items }) => items[0].quantity > 0);
  const soldItems = lines.flatMap(({ items }) => items);
  const compare = (subject: string, expected: number | bigint, found: number | bigint) => ({
    subject: `order ${id} ${subject}`,
    expected: BigInt(expected),
    found: BigInt(found),
  });
  const remaining = credits === 1 ? remainingSoldOrder(order).items : [];
  return [
    compare('credits', credits, creditLines.length),
    compare('isCredited', credits, isCredited ? 1 : 0),
    compare(
      'credits to upcoming',
      settlementBatch === undefined ? 0 : credits,
      creditLines.filter(({ isUpcoming }) => isUpcoming).length,
    ),
    compare('reversals', reversals, lines.length - creditLines.length),
    compare('credit', sum(remaining.map(({ net }) => net)), sum(soldItems.map(({ net }) => net))),
    compare('fee', sum(remaining.map(({ fee }) => fee)), sum(soldItems.map(({ fee }) => fee))),
    compare(
      'tickets',
      sum(remaining.map(({ quantity }) => quantity)),
      sum(soldItems.map(({ quantity }) => quantity)),
    ),
  ];
}

function shareOfOrganizer(order: Order): bigint {
  return netOf(remainingSoldOrder(order));
}

function sum(amounts: unknown[]): bigint {
  return amounts.reduce<bigint>((total, amount) => total + BigInt((amount ?? 0) as bigint), 0n);
}
