import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTable } from '../../infra/local/services/aws.ts';
import { findLedgerDifferences } from '../../infra/ops/reconcile-ledger.ts';
import type { RawItem } from '../../infra/ops/table.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { put, update, write } from '../../shared/dynamo/write.ts';
import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import { formatItem, type OrderItem } from '../../shared/orders/order.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { insertPaidOrders, type PaidOrders, readEntries } from '../support/shop.ts';

/** The reconciliation reports each inconsistency. Every test creates one. */

let backend: Backend;
let batch: PaidOrders;
let firstOrderId = '';

beforeAll(async () => {
  backend = await startBackend();
}, 60_000);
beforeEach(async () => {
  batch = await createTableWithOrders();
  firstOrderId = batch.orders[0]?.id ?? '';
  expect(await readFindings()).toEqual([]);
});
afterAll(() => backend.stop());

test('reports a posted order that no entry contains', async () => {
  await writeEntry((entry) => ({ ...entry, orders: entry.orders.slice(0, 2) }));
  const third = batch.orders[2]?.id;
  expect(await readFindings()).toEqual([
    expect.stringMatching(/credit available: expected 20000, found 30000$/),
    `order ${third} credits: expected 1, found 0`,
    `order ${third} credit: expected 10000, found 0`,
    `order ${third} fee: expected 250, found 0`,
    `order ${third} tickets: expected 2, found 0`,
  ]);
});

test('reports an order in two entries, although money and tickets add up', async () => {
  await writeEntry((entry) => {
    const [order] = entry.orders;
    const [item] = order.items;
    const orderOf = (quantity: number) => ({ ...order, items: [{ ...item, quantity, net: 0, fee: 0 }] });
    return { ...entry, id: 'again', orders: [orderOf(item.quantity), orderOf(-item.quantity)] };
  });
  expect(await readFindings()).toEqual(
    expect.arrayContaining([
      `order ${firstOrderId} credits: expected 1, found 2`,
      `order ${firstOrderId} reversals: expected 0, found 1`,
    ]),
  );
});

test('reports a posted order that is not marked as credited, since a refund would not reverse its credit', async () => {
  await changeOrder(firstOrderId, { isCredited: undefined });
  expect(await readFindings()).toEqual([`order ${firstOrderId} isCredited: expected 1, found 0`]);
});

test('reports an order that is credited but not posted', async () => {
  await changeOrder(firstOrderId, { isPosted: undefined, isCredited: undefined });
  expect(await readFindings()).toEqual([
    `order ${firstOrderId} credits: expected 0, found 1`,
    `order ${firstOrderId} credit: expected 0, found 10000`,
    `order ${firstOrderId} fee: expected 0, found 250`,
    `order ${firstOrderId} tickets: expected 0, found 2`,
  ]);
});

test('reports an order whose price changed after it was credited', async () => {
  const [item] = batch.orders[0]?.items ?? [];
  await changeOrder(firstOrderId, { items: [formatItem({ ...(item as OrderItem), unitPrice: 4_500n })] });
  expect(await readFindings()).toEqual([
    `order ${firstOrderId} credit: expected 9000, found 10000`,
    `order ${firstOrderId} fee: expected 1250, found 250`,
  ]);
});

test('reports an entry whose postings are not the sum of its orders', async () => {
  await writeEntry((entry) => ({ ...entry, postings: { clearing: -30001, available: 30001 } }));
  expect(await readFindings()).toEqual([
    expect.stringMatching(/credit available: expected 30000, found 30001$/),
    expect.stringMatching(/BALANCE#USD clearing: expected -30001, found -30000$/),
    expect.stringMatching(/BALANCE#USD available: expected 30001, found 30000$/),
  ]);
});

test('reports an entry that does not sum to zero', async () => {
  await writeEntry((entry) => ({ ...entry, postings: { ...entry.postings, paidOut: 5 } }));
  expect(await readFindings()).toContainEqual(expect.stringMatching(/credit total: expected 0, found 5$/));
});

test('reports an entry of an order that does not exist', async () => {
  await writeEntry((entry) => ({
    ...entry,
    orders: [...entry.orders, { ...entry.orders[0], orderId: 'cnone', items: [] }],
  }));
  expect(await readFindings()).toEqual([expect.stringMatching(/known orders: expected 4, found 3$/)]);
});

test('reports a refund that reversed no credit', async () => {
  const at = new Date().toISOString();
  await changeOrder(firstOrderId, {
    refund: { status: 'done', amount: 10_250, attempts: 0, dueAt: at, at },
    fulfilmentStatus: 'refund-due',
  });
  expect(await readFindings()).toEqual(
    expect.arrayContaining([`order ${firstOrderId} reversals: expected 1, found 0`]),
  );
});

test('reports an event whose amount in `upcoming` differs from its orders, and an order credited to the wrong ledger account', async () => {
  process.env.PAYOUTS_FROM = 'event';
  batch = await createTableWithOrders();
  delete process.env.PAYOUTS_FROM;
  expect(await readFindings()).toEqual([]);
  firstOrderId = batch.orders[0]?.id ?? '';
  const upcoming = keys.upcoming(batch.organizerId, batch.events[0]?.id ?? '', 'USD');
  await write(update(upcoming, { set: { amount: 20_000 } }));
  expect(await readFindings()).toEqual([
    expect.stringMatching(/BALANCE#USD upcoming: expected 20000, found 30000$/),
    expect.stringMatching(/UPCOMING#.* amount: expected 30000, found 20000$/),
  ]);
  await write(update(upcoming, { set: { amount: 30_000 } }));
  await changeOrder(firstOrderId, { settlementBatch: undefined });
  expect(await readFindings()).toEqual([
    expect.stringMatching(/UPCOMING#.* amount: expected 20000, found 30000$/),
    `order ${firstOrderId} credits to upcoming: expected 0, found 1`,
  ]);
});

let tables = 0;

/**
 * Creates a table with three orders that one entry credits. Tests share no table, since a reconciliation reads all of
 * it.
 */
async function createTableWithOrders(): Promise<PaidOrders> {
  process.env.TABLE_NAME = `reconcile-${++tables}`;
  await createTable(backend.dynamodbUrl, process.env.TABLE_NAME, { dropExisting: false });
  const batch = await insertPaidOrders(3);
  const messages = batch.orders.map(({ id, eventId, userId }) => ({ orderId: id, eventId, userId }));
  expect(await fulfilOrders(messages)).toEqual([]);
  return batch;
}

const readFindings = async () =>
  (await findLedgerDifferences()).map(
    ({ subject, expected, found }) => `${subject}: expected ${expected}, found ${found}`,
  );

/** Overwrites the only entry. A change that sets `id` adds another entry instead. */
async function writeEntry(change: (entry: RawItem) => RawItem): Promise<void> {
  const [entryBefore] = await readEntries(batch);
  const { pk, id, ...entry } = change(entryBefore as RawItem);
  const sk = id ? keys.ledgerEntry('', id).sk : entry.sk;
  await write(put({ ...entry, pk, sk }));
}

const changeOrder = (id: string, set: Record<string, unknown>) => write(update(keys.order(id), { set }));
