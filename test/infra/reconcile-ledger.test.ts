import { beforeAll, beforeEach, expect, test } from 'vitest';
import { findLedgerDifferences } from '../../infra/ops/reconcile-ledger.ts';
import { type RawItem, scanTable } from '../../infra/ops/table.ts';
import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import { startBackend } from '../support/backend.ts';
import { insertPaidOrders } from '../support/shop.ts';

/** The reconciliation reports each inconsistency. Every test creates one in a copy of the table. */

/** The table after three orders of 100 dollars were posted with one entry, paid out at once or after the event. */
const tables: Record<string, RawItem[]> = {};
let items: RawItem[] = [];
let orders: RawItem[] = [];

beforeAll(async () => {
  const backend = await startBackend();
  for (const payoutsFrom of ['sale', 'event']) {
    process.env.PAYOUTS_FROM = payoutsFrom;
    const before = await scanTable();
    const batch = await insertPaidOrders(3);
    const messages = batch.orders.map(({ id, eventId, userId }) => ({ orderId: id, eventId, userId }));
    expect(await fulfilOrders(messages)).toEqual([]);
    const known = new Set(before.map(({ pk, sk }) => `${pk} ${sk}`));
    tables[payoutsFrom] = (await scanTable()).filter(({ pk, sk }) => !known.has(`${pk} ${sk}`));
  }
  await backend.stop();
}, 60_000);
beforeEach(() => useTable('sale'));

async function useTable(name: string): Promise<void> {
  items = structuredClone(tables[name] ?? []);
  orders = items.filter(({ sk }) => sk === 'ORDER');
  expect(await readFindings()).toEqual([]);
}

const readFindings = async () =>
  (await findLedgerDifferences(async () => items)).map(
    ({ subject, expected, found }) => `${subject}: expected ${expected}, found ${found}`,
  );
/** Changes the only entry. */
function changeEntry(change: (entry: RawItem) => object): void {
  const entry = items.find(({ sk }) => sk.startsWith('ENTRY#')) as RawItem;
  Object.assign(entry, change(entry));
}
const changeFirstOrder = (set: object) => Object.assign(firstOrder(), set);
const firstOrder = () => orders[0] as RawItem;

test('reports a posted order that no entry contains', async () => {
  let third = '';
  changeEntry((entry) => {
    third = entry.orders[2].orderId;
    return { orders: entry.orders.slice(0, 2) };
  });
  expect(await readFindings()).toEqual([
    expect.stringMatching(/credit available: expected 20000, found 30000$/),
    `order ${third} credits: expected 1, found 0`,
    `order ${third} credit: expected 10000, found 0`,
    `order ${third} fee: expected 250, found 0`,
    `order ${third} tickets: expected 2, found 0`,
  ]);
});

test('reports an order in two entries, although money and tickets add up', async () => {
  const entry = items.find(({ sk }) => sk.startsWith('ENTRY#')) as RawItem;
  const order = entry.orders.find(({ orderId }: RawItem) => orderId === firstOrder().id);
  const [item] = order.items;
  const orderOf = (quantity: number) => ({ ...order, items: [{ ...item, quantity, net: 0, fee: 0 }] });
  items.push({ ...entry, sk: 'ENTRY#again', orders: [orderOf(item.quantity), orderOf(-item.quantity)] });
  expect(await readFindings()).toEqual(
    expect.arrayContaining([
      `order ${firstOrder().id} credits: expected 1, found 2`,
      `order ${firstOrder().id} reversals: expected 0, found 1`,
    ]),
  );
});

test('reports a posted order that is not marked as credited, since a refund would not reverse its credit', async () => {
  changeFirstOrder({ isCredited: undefined });
  expect(await readFindings()).toEqual([`order ${firstOrder().id} isCredited: expected 1, found 0`]);
});

test('reports an order that is credited but not posted', async () => {
  changeFirstOrder({ isPosted: undefined, isCredited: undefined });
  expect(await readFindings()).toEqual([
    `order ${firstOrder().id} credits: expected 0, found 1`,
    `order ${firstOrder().id} credit: expected 0, found 10000`,
    `order ${firstOrder().id} fee: expected 0, found 250`,
    `order ${firstOrder().id} tickets: expected 0, found 2`,
  ]);
});

test('reports an order whose price changed after it was credited', async () => {
  changeFirstOrder({ items: firstOrder().items.map((item: string) => item.replace(':5000', ':4500')) });
  expect(await readFindings()).toEqual([
    `order ${firstOrder().id} credit: expected 9000, found 10000`,
    `order ${firstOrder().id} fee: expected 1250, found 250`,
  ]);
});

test('reports an entry whose postings are not the sum of its orders', async () => {
  changeEntry(() => ({ postings: { clearing: -30001, available: 30001 } }));
  expect(await readFindings()).toEqual([
    expect.stringMatching(/credit available: expected 30000, found 30001$/),
    expect.stringMatching(/BALANCE#USD clearing: expected -30001, found -30000$/),
    expect.stringMatching(/BALANCE#USD available: expected 30001, found 30000$/),
  ]);
});

test('reports an entry that does not sum to zero', async () => {
  changeEntry(({ postings }) => ({ postings: { ...postings, paidOut: 5 } }));
  expect(await readFindings()).toContainEqual(expect.stringMatching(/credit total: expected 0, found 5$/));
});

test('reports an entry of an order that does not exist', async () => {
  changeEntry(({ orders }) => ({ orders: [...orders, { ...orders[0], orderId: 'cnone', items: [] }] }));
  expect(await readFindings()).toEqual([expect.stringMatching(/known orders: expected 4, found 3$/)]);
});

test('reports a refund that reversed no credit', async () => {
  const at = new Date().toISOString();
  changeFirstOrder({
    refund: { status: 'done', amount: 10_250, attempts: 0, dueAt: at, at },
    fulfilmentStatus: 'refund-due',
  });
  expect(await readFindings()).toEqual(
    expect.arrayContaining([`order ${firstOrder().id} reversals: expected 1, found 0`]),
  );
});

test('reports an event whose amount in `upcoming` differs from its orders, and an order credited to the wrong ledger account', async () => {
  await useTable('event');
  const upcoming = items.find(({ sk }) => sk.startsWith('UPCOMING#')) as RawItem;
  upcoming.amount = 20_000;
  expect(await readFindings()).toEqual([
    expect.stringMatching(/BALANCE#USD upcoming: expected 20000, found 30000$/),
    expect.stringMatching(/UPCOMING#.* amount: expected 30000, found 20000$/),
  ]);
  upcoming.amount = 30_000;
  changeFirstOrder({ settlementBatch: undefined });
  expect(await readFindings()).toEqual([
    expect.stringMatching(/UPCOMING#.* amount: expected 20000, found 30000$/),
    `order ${firstOrder().id} credits to upcoming: expected 0, found 1`,
  ]);
});
