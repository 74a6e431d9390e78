import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTable } from '../../infra/local/services/aws.ts';
import { findCodeDifferences, findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { insertUser } from '../../shared/accounts/users/store.ts';
import { changeEvent } from '../../shared/catalog/events/editing/change-event.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { changeTier, reviseEvent } from '../../shared/catalog/events/editing/revise-event.ts';
import { changeCode, createCode, deleteCode } from '../../shared/catalog/promo-codes/change-codes.ts';
import { type Code, computeDiscount } from '../../shared/catalog/promo-codes/code.ts';
import type { CodeCreation } from '../../shared/catalog/promo-codes/code-input.ts';
import { findCode } from '../../shared/catalog/promo-codes/store.ts';
import { DomainError } from '../../shared/core/errors.ts';
import { newId } from '../../shared/core/ids.ts';
import { totalWithFee } from '../../shared/core/money.ts';
import { transact } from '../../shared/dynamo/write.ts';
import { initializeOrder } from '../../shared/orders/checkout/initialize-order.ts';
import { newReference, type Order } from '../../shared/orders/order.ts';
import { cancelOrder, expireOrder } from '../../shared/orders/settlement/end-order.ts';
import { receivePayment } from '../../shared/orders/settlement/settle-order.ts';
import { getOrder } from '../../shared/orders/store.ts';
import { gatewayA } from '../../shared/payments/gateway-a/gateway.ts';
import { type Backend, startBackend } from '../support/backend.ts';

/**
 * Random histories of orders, cancellations, payments, failures, expiries and capacity changes, in groups of concurrent
 * steps. After every group the inventory and the uses of codes are exact, no code exceeds its limits, no order used an
 * outdated version of a code, and no payment is lost. INVENTORY_RUNS sets the number of histories.
 */

const runs = Number(process.env.INVENTORY_RUNS ?? 15);
let backend: Backend;
/** The references that the provider reports as paid when it is queried. */
const paidAtProvider = new Set<string>();
const provider = createServer(async (request, response) => {
  const reference = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
  const data = paidAtProvider.has(reference)
    ? { id: `p${reference}`, status: 'success', reference }
    : { authorization_url: 'http://127.0.0.1/pay', status: 'abandoned' };
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ status: true, data }));
});

beforeAll(async () => {
  backend = await startBackend();
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    GATEWAY_A_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    GATEWAY_A_SECRET: 'only-for-tests',
    // Holds expire immediately. The `expire` steps decide when orders expire.
    HOLD_MINUTES: '0',
    STOCK_SHARD_SIZE: '3',
  });
}, 60_000);

afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await backend.stop();
});

/** The initial codes of an event. The `edit-code` steps change them. */
const codes: Record<string, Pick<CodeCreation, 'kind' | 'value' | 'maxUses' | 'maxPerUser' | 'budget'>> = {
  USES: { kind: 'percent', value: 10, maxUses: 2 },
  BUDGET: { kind: 'amount', value: 7, budget: 30 },
  PERSON: { kind: 'price', value: 5, maxPerUser: 1 },
  OPEN: { kind: 'percent', value: 50 },
};
const codeTexts = Object.keys(codes);

const orderIndex = fc.nat({ max: 9 });
const arbitraryStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      buyer: fc.nat({ max: 3 }),
      tier: fc.nat({ max: 1 }),
      quantity: fc.integer({ min: 1, max: 4 }),
      code: fc.option(fc.constantFrom(...codeTexts), { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('order-by-each-buyer' as const),
      code: fc.constantFrom(...codeTexts),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('edit-code' as const),
      code: fc.constantFrom(...codeTexts),
      change: fc.record(
        {
          value: fc.integer({ min: 1, max: 30 }),
          maxUses: fc.integer({ min: 1, max: 3 }),
          maxPerUser: fc.option(fc.integer({ min: 1, max: 2 })),
          budget: fc.integer({ min: 5, max: 40 }),
          active: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('replace-code' as const), code: fc.constantFrom(...codeTexts) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), order: orderIndex }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('receive-payment' as const), order: orderIndex }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pay-without-webhook' as const), order: orderIndex }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('receive-failure' as const), order: orderIndex }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('expire' as const), order: orderIndex }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change-tier-quantity' as const),
      tier: fc.nat({ max: 1 }),
      quantity: fc.nat({ max: 16 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('change-total-supply' as const), supply: fc.nat({ max: 24 }) }),
  },
);
type Step = typeof arbitraryStep extends fc.Arbitrary<infer Value> ? Value : never;

test('a random history keeps inventory and codes exact after every group of steps, and completes every paid order', async () => {
  let stepCount = 0;
  let historyCount = 0;
  const history = fc.array(fc.array(arbitraryStep, { minLength: 1, maxLength: 4 }), {
    minLength: 4,
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(history, async (stepGroups) => {
      // Each history has its own table, since a reconciliation reads the whole table after every group.
      process.env.TABLE_NAME = `history-${++historyCount}`;
      await createTable(backend.dynamodbUrl, process.env.TABLE_NAME, { dropExisting: false });
      const world = await createWorld();
      for (const steps of stepGroups) {
        const codesBefore = await world.readCodes();
        const ordersBefore = world.orders.length;
        await Promise.all(steps.map((step) => perform(world, step)));
        stepCount += steps.length;
        expect(await findInventoryDifferences()).toEqual([]);
        expect(await findCodeDifferences()).toEqual([]);
        expect(await world.findExceededCodes()).toEqual([]);
        for (const order of world.orders.slice(ordersBefore)) expectPrice(order, codesBefore);
        expect(await world.findLostPayments()).toEqual([]);
      }
    }),
    { numRuns: runs },
  );
  console.log(`${runs} histories, ${stepCount} steps`);
}, 600_000);

/** The kinds of expected errors. Any other error is a defect. */
const expectedKinds = new Set(['conflict', 'invalid', 'not-found']);

async function attempt<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && expectedKinds.has(error.kind)) return undefined;
    throw error;
  }
}

const organizer = newId();
const buyers = Array.from({ length: 4 }, () => newId());
const now = new Date().toISOString();
const registerBuyer = (id: string) => {
  const email = `${id}@example.com`;
  const user = {
    id,
    email,
    name: 'Buyer',
    role: 'USER',
    walletAddress: null,
    kycStatus: 'NONE',
    emailVerified: false,
  } as const;
  return transact([insertUser(user, now)]);
};

/** An event, its orders, and the limits of its codes. */
class World {
  readonly eventId: string;
  readonly tierIds: string[];
  readonly orders: Order[] = [];
  readonly paidOrderIds = new Set<string>();
  constructor(eventId: string, tierIds: string[]) {
    this.eventId = eventId;
    this.tierIds = tierIds;
  }

  /** The largest limits of each code so far. */
  readonly largestLimits = new Map<string, { uses: number; budget: number }>();

  raiseLimits(text: string, { maxUses, budget }: Pick<CodeCreation, 'maxUses' | 'budget'>): void {
    const largest = this.largestLimits.get(text) ?? { uses: 0, budget: 0 };
    // An absent limit is infinite.
    this.largestLimits.set(text, {
      uses: Math.max(largest.uses, maxUses ?? Number.POSITIVE_INFINITY),
      budget: Math.max(largest.budget, budget ?? Number.POSITIVE_INFINITY),
    });
  }

  async readCodes(): Promise<Code[]> {
    const storedCodes = await Promise.all(codeTexts.map((text) => findCode(this.eventId, text)));
    return storedCodes.filter((code) => code !== undefined);
  }

  /**
   * Returns the codes whose uses or discounts exceed their largest limits. Overruns do not count: a late payment may
   * exceed the limits.
   */
  async findExceededCodes(): Promise<string[]> {
    const orders = await Promise.all(this.orders.map(({ id }) => getOrder(id)));
    return codeTexts.filter((text) => {
      const counted = orders.filter(
        ({ holdsInventory, redemption }) =>
          holdsInventory && redemption?.code === text && redemption.isCounted && !redemption.isOverLimit,
      );
      const totalDiscount = counted.reduce((sum, { discount = 0n }) => sum + Number(discount), 0);
      const { uses, budget } = this.largestLimits.get(text) ?? { uses: 0, budget: 0 };
      return counted.length > uses || totalDiscount > budget * 100;
    });
  }

  /** Returns the ids of orders with a reported payment that are not COMPLETED. */
  async findLostPayments(): Promise<string[]> {
    const orders = await Promise.all([...this.paidOrderIds].map((id) => getOrder(id)));
    return orders.filter(({ paymentStatus }) => paymentStatus !== 'COMPLETED').map(({ id }) => id);
  }
}

async function createWorld(): Promise<World> {
  await Promise.all(buyers.map(registerBuyer));
  const creation = eventCreation.parse({
    title: 'A small event',
    venue: 'A small hall',
    startDate: new Date(Date.now() + 86_400_000).toISOString(),
    tiers: [
      { name: 'Floor', price: 10, quantity: 8, maxPerPerson: 6 },
      { name: 'Balcony', price: 20, quantity: 5, maxPerPerson: 4 },
    ],
  });
  const event = await createEvent(creation, organizer);
  const world = new World(
    event.id,
    event.tiers.map(({ id }) => id),
  );
  for (const [code, definition] of Object.entries(codes)) {
    await createCode(event.id, organizer, { code, ...definition });
    world.raiseLimits(code, definition);
  }
  return world;
}

/** Checks that an order was priced with its code's version in `codesBefore`, or with a later one. */
function expectPrice(
  { redemption, discount, subtotal, quantity, totalAmount }: Order,
  codesBefore: Code[],
): void {
  expect(totalAmount).toBe(totalWithFee(subtotal));
  if (!redemption) return;
  const code = codesBefore.find((candidate) => candidate.code === redemption.code);
  expect(redemption.version).toBeGreaterThanOrEqual(code?.version ?? 0);
  if (redemption.version !== code?.version) return;
  const fullPrice = subtotal + (discount ?? 0n);
  expect(discount).toBe(computeDiscount(code, fullPrice / BigInt(quantity), quantity, 'USD'));
}

async function perform(world: World, step: Step): Promise<void> {
  if (step.do === 'order') {
    const reference = newReference(world.eventId, Date.now());
    const request = {
      eventId: world.eventId,
      tierId: world.tierIds[step.tier] as string,
      quantity: step.quantity,
      paymentMethod: 'FIAT',
      code: step.code,
    } as const;
    const order = await attempt(initializeOrder(buyers[step.buyer] as string, request, reference));
    if (order) world.orders.push(order);
    return;
  }
  if (step.do === 'order-by-each-buyer') {
    const orders = buyers.map(
      (_, buyer) => ({ do: 'order', buyer, tier: 0, quantity: 1, code: step.code }) as const,
    );
    await Promise.all(orders.map((order) => perform(world, order)));
    return;
  }
  if (step.do === 'edit-code') {
    // A limit that is absent from the change stays as it is.
    const { maxUses = 0, budget = 0 } = step.change;
    world.raiseLimits(step.code, { maxUses, budget });
    await attempt(changeCode(world.eventId, step.code, organizer, step.change));
    return;
  }
  if (step.do === 'replace-code') {
    const definition = codes[step.code] as (typeof codes)[string];
    world.raiseLimits(step.code, definition);
    await attempt(deleteCode(world.eventId, step.code, organizer));
    // This fails for a used code, which was deactivated instead of deleted.
    await attempt(createCode(world.eventId, organizer, { code: step.code, ...definition }));
    return;
  }
  if (step.do === 'change-total-supply') {
    await attempt(
      changeEvent(world.eventId, organizer, (event) => reviseEvent(event, { totalSupply: step.supply })),
    );
    return;
  }
  if (step.do === 'change-tier-quantity') {
    await attempt(
      changeEvent(world.eventId, organizer, (event) =>
        changeTier(event, world.tierIds[step.tier] as string, { quantity: step.quantity }),
      ),
    );
    return;
  }
  const order = world.orders[step.order % Math.max(1, world.orders.length)];
  if (!order) return;
  const signal = { reference: order.reference, transactionId: `t${order.id}` };
  if (step.do === 'cancel') await attempt(cancelOrder(order.userId, order.id));
  if (step.do === 'receive-failure') await receivePayment(gatewayA, { kind: 'failed', ...signal });
  if (step.do === 'pay-without-webhook') paidAtProvider.add(order.reference);
  if (step.do === 'receive-payment') {
    await receivePayment(gatewayA, { kind: 'paid', ...signal, amount: order.totalAmount, currency: 'USD' });
    world.paidOrderIds.add(order.id);
  }
  if (step.do === 'expire') {
    const current = await getOrder(order.id);
    await expireOrder(current);
    const isPaid = current.paymentStatus === 'PENDING' && paidAtProvider.has(order.reference);
    if (isPaid) world.paidOrderIds.add(order.id);
  }
}
