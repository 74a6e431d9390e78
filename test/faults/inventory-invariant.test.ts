import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTable } from '../../infra/local/dynamodb.ts';
import type { Order } from '../../shared/orders/order.ts';
import { type Backend, startBackend } from '../support/backend.ts';

/**
 * Fault 22 and 23: whatever orders, cancellations, payments, failures, expiries and capacity changes do to each
 * other, in any order and at once, the stock adds up after every step, and no payment is lost.
 * STOCK_RUNS sets how many random histories are tried.
 */

const runs = Number(process.env.STOCK_RUNS ?? 15);
let backend: Backend;
let actions: Awaited<ReturnType<typeof loadActions>>;
/** References that the payment provider has seen paid, whether or not its webhook came. */
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
    // A hold that is over at once: whether it has been noticed is up to the expiry steps.
    HOLD_MINUTES: '0',
    STOCK_SHARD_SIZE: '3',
  });
  actions = await loadActions();
}, 60_000);

afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await backend.stop();
});

const orderAt = fc.nat({ max: 9 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      buyer: fc.nat({ max: 3 }),
      tier: fc.nat({ max: 1 }),
      quantity: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), order: orderAt }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('paid' as const), order: orderAt }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('paid-silently' as const), order: orderAt }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('failed' as const), order: orderAt }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('expire' as const), order: orderAt }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('tier-quantity' as const),
      tier: fc.nat({ max: 1 }),
      quantity: fc.nat({ max: 16 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('supply' as const), supply: fc.nat({ max: 24 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test('stock adds up after every step, and every payment completes its order', async () => {
  let stepsDone = 0;
  let histories = 0;
  const history = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(history, async (moments) => {
      // A table of its own for each history: the audit reads all of it, after every step.
      process.env.TABLE_NAME = `history-${++histories}`;
      await createTable(backend.dynamodbUrl, process.env.TABLE_NAME, { fresh: false });
      const world = await actions.openWorld();
      for (const together of moments) {
        await Promise.all(together.map((one) => actions.perform(world, one)));
        stepsDone += together.length;
        expect(await actions.audit()).toEqual([]);
        expect(await world.lostPayments()).toEqual([]);
      }
    }),
    { numRuns: runs },
  );
  console.log(`${runs} histories, ${stepsDone} steps`);
}, 600_000);

async function loadActions() {
  const [{ createEvent }, { changeEvent }, { changeTier }, { reviseEvent }] = await Promise.all([
    import('../../shared/events/create-event.ts'),
    import('../../shared/events/change-event.ts'),
    import('../../shared/events/tiers.ts'),
    import('../../shared/events/revise-event.ts'),
  ]);
  const { eventCreation } = await import('../../shared/events/event-input.ts');
  const { insertUser } = await import('../../shared/auth/store.ts');
  const { transact } = await import('../../shared/dynamo/write.ts');
  const { initializeOrder } = await import('../../shared/orders/initialize-order.ts');
  const { newReference } = await import('../../shared/orders/reference.ts');
  const { cancelOrder } = await import('../../shared/orders/cancel-order.ts');
  const { expireOrder } = await import('../../shared/orders/expire-order.ts');
  const { takePayment } = await import('../../shared/orders/take-payment.ts');
  const { gatewayA } = await import('../../shared/payments/gateway-a/gateway.ts');
  const { getOrder } = await import('../../shared/orders/store.ts');
  const { auditStock } = await import('../../infra/operator/stock-audit.ts');
  const { DomainError } = await import('../../shared/errors.ts');
  const { newId } = await import('../../shared/ids.ts');

  /** What a caller may be told no about; anything else is a fault. */
  const refusals = new Set(['conflict', 'invalid', 'not-found']);
  const attempt = async <Result>(work: Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof DomainError && refusals.has(error.kind)) return undefined;
      throw error;
    }
  };

  const organizer = newId();
  const buyers = Array.from({ length: 4 }, () => newId());
  const now = new Date().toISOString();
  const registerBuyer = (id: string) => {
    const email = `${id}@example.com`;
    const user = { id, email, name: 'Buyer', role: 'USER', walletAddress: null, kycStatus: 'NONE' } as const;
    return transact(insertUser(user, 'no password', now));
  };

  class World {
    readonly eventId: string;
    readonly tiers: string[];
    readonly orders: Order[] = [];
    readonly paid = new Set<string>();
    constructor(eventId: string, tiers: string[]) {
      this.eventId = eventId;
      this.tiers = tiers;
    }

    /** Orders whose payment was confirmed to us, and that are not COMPLETED. */
    async lostPayments(): Promise<string[]> {
      const orders = await Promise.all([...this.paid].map((id) => getOrder(id)));
      return orders.filter(({ paymentStatus }) => paymentStatus !== 'COMPLETED').map(({ id }) => id);
    }
  }

  const openWorld = async () => {
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
    return new World(
      event.id,
      event.tiers.map(({ id }) => id),
    );
  };

  const perform = async (world: World, one: Step): Promise<void> => {
    if (one.do === 'order') {
      const reference = newReference(world.eventId, Date.now());
      const request = {
        eventId: world.eventId,
        tierId: world.tiers[one.tier] as string,
        quantity: one.quantity,
        paymentMethod: 'FIAT',
      } as const;
      const order = await attempt(initializeOrder(buyers[one.buyer] as string, request, reference));
      if (order) world.orders.push(order);
      return;
    }
    if (one.do === 'supply') {
      await attempt(
        changeEvent(world.eventId, organizer, (event) => reviseEvent(event, { totalSupply: one.supply })),
      );
      return;
    }
    if (one.do === 'tier-quantity') {
      await attempt(
        changeEvent(world.eventId, organizer, (event) =>
          changeTier(event, world.tiers[one.tier] as string, { quantity: one.quantity }),
        ),
      );
      return;
    }
    const order = world.orders[one.order % Math.max(1, world.orders.length)];
    if (!order) return;
    const signal = { reference: order.reference, transactionId: `t${order.id}` };
    if (one.do === 'cancel') await attempt(cancelOrder(order.userId, order.id));
    if (one.do === 'failed') await takePayment(gatewayA, { kind: 'failed', ...signal });
    if (one.do === 'paid-silently') paidAtProvider.add(order.reference);
    if (one.do === 'paid') {
      await takePayment(gatewayA, { kind: 'paid', ...signal, amount: order.totalAmount, currency: 'USD' });
      world.paid.add(order.id);
    }
    if (one.do === 'expire') {
      const current = await getOrder(order.id);
      await expireOrder(current);
      const isOver = current.paymentStatus === 'PENDING' && paidAtProvider.has(order.reference);
      if (isOver) world.paid.add(order.id);
    }
  };

  return { openWorld, perform, audit: auditStock };
}
