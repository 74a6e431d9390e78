import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Item } from '../../../shared/dynamo/client.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { loadPaidOrders, type PaidOrders } from '../../support/paid-orders.ts';

/** The audit of the ledger finds what is wrong: here it is made so, one mistake at a time. */

let backend: Backend;
let books: Awaited<ReturnType<typeof loadBooks>>;
let sold: PaidOrders;
let first = '';

beforeAll(async () => {
  backend = await startBackend();
  books = await loadBooks();
}, 60_000);
beforeEach(async () => {
  sold = await books.openTable();
  first = sold.orders[0]?.id ?? '';
  expect(await books.audit()).toEqual([]);
});
afterAll(() => backend.stop());

test('an order booked without being in an entry', async () => {
  await books.writeEntry((entry) => ({ ...entry, orders: entry.orders.slice(0, 2) }));
  const third = sold.orders[2]?.id;
  expect(await books.audit()).toEqual([
    expect.stringMatching(/credit available: expected 20000, found 30000$/),
    `order ${third} credits: expected 1, found 0`,
    `order ${third} credit: expected 10000, found 0`,
    `order ${third} fee: expected 250, found 0`,
    `order ${third} tickets: expected 2, found 0`,
  ]);
});

test('an order in two entries, although money and tickets add up', async () => {
  await books.writeEntry((entry) => {
    const [order] = entry.orders;
    const nothing = { ...order, net: 0, fee: 0 };
    return { ...entry, id: 'again', orders: [nothing, { ...nothing, quantity: -order.quantity }] };
  });
  expect(await books.audit()).toEqual(
    expect.arrayContaining([
      `order ${first} credits: expected 1, found 2`,
      `order ${first} reversals: expected 0, found 1`,
    ]),
  );
});

test('a booked order that does not know of its credit, so that a refund would not take it back', async () => {
  await books.changeOrder(first, { isCredited: undefined });
  expect(await books.audit()).toEqual([`order ${first} mark of its credit: expected 1, found 0`]);
});

test('an order that was credited although it is not booked', async () => {
  await books.changeOrder(first, { isBooked: undefined, isCredited: undefined });
  expect(await books.audit()).toEqual([
    `order ${first} credits: expected 0, found 1`,
    `order ${first} credit: expected 0, found 10000`,
    `order ${first} fee: expected 0, found 250`,
    `order ${first} tickets: expected 0, found 2`,
  ]);
});

test('an order whose price changed after it was credited', async () => {
  await books.changeOrder(first, { subtotal: 9_000 });
  expect(await books.audit()).toEqual([
    `order ${first} credit: expected 9000, found 10000`,
    `order ${first} fee: expected 1250, found 250`,
  ]);
});

test('an entry whose postings are not the sum of its orders', async () => {
  await books.writeEntry((entry) => ({ ...entry, postings: { clearing: -30001, available: 30001 } }));
  expect(await books.audit()).toEqual([
    expect.stringMatching(/credit available: expected 30000, found 30001$/),
    expect.stringMatching(/BALANCE#USD clearing: expected -30001, found -30000$/),
    expect.stringMatching(/BALANCE#USD available: expected 30001, found 30000$/),
  ]);
});

test('an entry that makes money', async () => {
  await books.writeEntry((entry) => ({ ...entry, postings: { ...entry.postings, paidOut: 5 } }));
  expect(await books.audit()).toContainEqual(expect.stringMatching(/credit in all: expected 0, found 5$/));
});

test('an entry that names an order that is not there', async () => {
  await books.writeEntry((entry) => ({
    ...entry,
    orders: [...entry.orders, { ...entry.orders[0], orderId: 'cnone', net: 0, fee: 0 }],
  }));
  expect(await books.audit()).toEqual([expect.stringMatching(/known orders: expected 4, found 3$/)]);
});

test('a refund that took nothing back', async () => {
  await books.changeOrder(first, {
    refund: { status: 'done', amount: 10_250 },
    fulfilmentStatus: 'refund-due',
  });
  expect(await books.audit()).toEqual(
    expect.arrayContaining([`order ${first} reversals: expected 1, found 0`]),
  );
});

async function loadBooks() {
  const { createTable } = await import('../../../infra/local/dynamodb.ts');
  const { auditLedger } = await import('../../../infra/operator/ledger-audit.ts');
  const { keys } = await import('../../../shared/dynamo/keys.ts');
  const { put, update, write } = await import('../../../shared/dynamo/write.ts');
  const { fulfilOrders } = await import('../../../shared/orders/fulfilment/fulfil-orders.ts');
  const { paidOrders, readEntries } = await loadPaidOrders();
  let tables = 0;

  const writeEntry = async (change: (entry: Item) => Item) => {
    const [only] = await readEntries(sold);
    const { pk, id, ...entry } = change(only as Item);
    const sk = id ? keys.ledgerEntry('', id).sk : entry.sk;
    await write(put({ ...entry, pk, sk }));
  };

  return {
    /** A table of its own, since all of it is audited, with three orders that one entry credits. */
    async openTable(): Promise<PaidOrders> {
      process.env.TABLE_NAME = `audit-${++tables}`;
      await createTable(backend.dynamodbUrl, process.env.TABLE_NAME, { fresh: false });
      const sold = await paidOrders(3);
      const messages = sold.orders.map(({ id, eventId, userId }) => ({ orderId: id, eventId, userId }));
      expect(await fulfilOrders(messages)).toEqual([]);
      return sold;
    },
    audit: async () =>
      (await auditLedger()).map(
        ({ what, expected, found }) => `${what}: expected ${expected}, found ${found}`,
      ),
    /** Writes the entry that is there differently; given an id, it becomes another. */
    writeEntry,
    changeOrder: (id: string, set: Record<string, unknown>) => write(update(keys.order(id), { set })),
  };
}
