import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { changeEvent } from '../../../shared/catalog/events/editing/change-event.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { newId } from '../../../shared/core/ids.ts';
import type { GatewayName } from '../../../shared/core/schemas.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { putAll, update, write } from '../../../shared/dynamo/write.ts';
import { requestPayout } from '../../../shared/money/payouts/request-payout.ts';
import { fulfilOrders } from '../../../shared/orders/fulfilment/fulfil-orders.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { requestRefund } from '../../../shared/orders/refunds/refund-order.ts';
import { confirmOrder } from '../../../shared/orders/settlement/crypto-payment.ts';
import { insertOrder } from '../../../shared/orders/store.ts';
import { createUnpaidOrder } from '../../support/shop.ts';
import { hostileKinds } from '../mint/hostile-contracts.ts';
import type { SharedResources } from './shared-resources.ts';
import { authorizeMinting, openSale, payOrder, placeOrder, registerUser, type Sale } from './tenant.ts';

export const actNames = [
  'uses the contract of another organizer',
  'sells on hostile contracts',
  'requests fulfilment in a loop',
  'sells orders of 500 tickets',
  'cancels an event with many orders',
  'cancels many events',
  'confirms random hashes',
  'opens holds up to the limits',
  'lets many holds expire',
  'lets holds expire at a provider that fails',
  'refunds many orders',
  'refunds many orders at a provider that fails',
  'requests many payouts at a provider that fails',
  'creates large events',
] as const;

/** An act of the hostile tenant in a round; the size (1 to 3) multiplies its volume. */
export interface Act {
  name: (typeof actNames)[number];
  round: number;
  size: number;
}

export const arbitraryAct: fc.Arbitrary<Act> = fc.record({
  name: fc.constantFrom(...actNames),
  round: fc.integer({ min: 0, max: 5 }),
  size: fc.integer({ min: 1, max: 3 }),
});

/** The gateway whose provider fails: its requests go to `FailingProvider` in shared-resources.ts. */
const failingGateway = 'gateway-b';
const wallet = developmentWallet(60).address;
const randomHash = () => `0x${randomBytes(32).toString('hex')}`;

/** Returns undefined when the work is refused. Any other error is a defect. */
async function attempt<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** The number of concurrent calls. With more, calls time out while they wait for the local table. */
const concurrency = 10;

/** Runs `work` `count` times. Waits for every call, also after a failure, so that none continues during the next test. */
async function repeat<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const runWorker = async () => {
    for (const index of indexes) results[index] = await work(index);
  };
  const workers = Array.from({ length: concurrency }, runWorker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return results;
}

/** An organizer who misuses the shared resources with any number of events and accounts. */
export class HostileTenant {
  readonly #resources: SharedResources;
  readonly #organizerId: string;
  readonly #buyerId: string;

  private constructor(resources: SharedResources, organizerId: string, buyerId: string) {
    this.#resources = resources;
    this.#organizerId = organizerId;
    this.#buyerId = buyerId;
  }

  static async open(resources: SharedResources): Promise<HostileTenant> {
    const organizerId = await registerUser();
    await authorizeMinting(organizerId, resources.contracts.hostile);
    for (const contract of Object.values(resources.hostileContracts))
      await authorizeMinting(organizerId, contract);
    return new HostileTenant(resources, organizerId, await registerUser(wallet));
  }

  async perform({ name, size }: Act): Promise<void> {
    await this.#acts[name](size);
  }

  readonly #acts: Record<Act['name'], (size: number) => Promise<unknown>> = {
    'uses the contract of another organizer': async (size) => {
      const sale = await this.#openSale({ price: 0, contract: this.#resources.contracts.honest });
      await repeat(10 * size, () => placeOrder(sale, this.#buyerId));
    },
    'sells on hostile contracts': (size) =>
      repeat(hostileKinds.length, async (index) => {
        const contract =
          this.#resources.hostileContracts[hostileKinds[index] as (typeof hostileKinds)[number]];
        const sale = await this.#openSale({ price: 0, contract });
        await repeat(4 * size, () => placeOrder(sale, this.#buyerId));
      }),
    'requests fulfilment in a loop': async (size) => {
      const sale = await this.#openSale({
        price: 0,
        contract: this.#resources.hostileContracts['reports false mints'],
      });
      const orders = await repeat(size, () => placeOrder(sale, this.#buyerId));
      for (const { id } of orders) await repeat(10, () => attempt(requestFulfilment(this.#organizer, id)));
    },
    'sells orders of 500 tickets': async (size) => {
      const sale = await this.#openSale({ contract: this.#resources.contracts.hostile, quantity: 10_000 });
      const orders = await repeat(size, () => placeOrder(sale, this.#buyerId, { quantity: 500 }));
      for (const order of orders) await payOrder(order);
    },
    'cancels an event with many orders': async (size) => {
      const sale = await this.#openSale();
      await this.#insertOrders(sale, 150 * size, { expiresInMinutes: 10 });
      await this.#cancel(sale);
    },
    'cancels many events': (size) =>
      repeat(10 * size, async () => {
        const sale = await this.#openSale();
        await this.#insertOrders(sale, 3, { expiresInMinutes: 10 });
        await this.#cancel(sale);
      }),
    'confirms random hashes': async (size) => {
      const sale = await this.#openSale({ currency: 'ETH', price: 0.01 });
      await repeat(2 * size, async () => {
        const buyer = await registerUser(wallet);
        for (let index = 0; index < 6; index++) {
          const order = await attempt(placeOrder(sale, buyer, { paymentMethod: 'CRYPTO' }));
          if (order) await attempt(confirmOrder(buyer, order.id, randomHash()));
        }
      });
    },
    'opens holds up to the limits': async (size) => {
      const sale = await this.#openSale({ quantity: 10 * size });
      const buyers = await repeat(4 * size, () => registerUser());
      for (const buyer of buyers)
        await attempt(placeOrder(sale, buyer, { quantity: 3, gateway: 'gateway-a' }));
    },
    'lets many holds expire': async (size) =>
      this.#insertOrders(await this.#openSale(), 40 * size, { expiresInMinutes: -1 }),
    'lets holds expire at a provider that fails': async (size) =>
      this.#insertOrders(await this.#openSale(), 20 * size, {
        expiresInMinutes: -1,
        gateway: failingGateway,
      }),
    'refunds many orders': (size) => this.#refundMany(30 * size, 'gateway-a'),
    'refunds many orders at a provider that fails': (size) => this.#refundMany(30 * size, failingGateway),
    'requests many payouts at a provider that fails': async (size) => {
      const orders = await this.#insertOrders(await this.#openSale(), 10, {
        expiresInMinutes: 10,
        gateway: failingGateway,
      });
      await this.#payAndPost(orders);
      const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Eve' };
      const request = { amount: 1, currency: 'USD', gateway: failingGateway, destination } as const;
      for (let index = 0; index < 30 * size; index++)
        await attempt(requestPayout(this.#organizerId, request, newId()));
    },
    'creates large events': (size) =>
      repeat(5 * size, () => this.#openSale({ description: 'x'.repeat(5_000) })),
  };

  get #organizer() {
    return { userId: this.#organizerId, role: 'ORGANIZER' } as never;
  }

  #openSale(options: Parameters<typeof openSale>[1] = {}): Promise<Sale> {
    return openSale(this.#organizerId, { quantity: 1_000, ...options });
  }

  async #cancel({ eventId }: Sale): Promise<void> {
    await changeEvent(eventId, this.#organizerId, (event) => ({ ...event, status: 'CANCELLED' }));
  }

  async #refundMany(count: number, gateway: GatewayName): Promise<void> {
    const orders = await this.#insertOrders(await this.#openSale(), count, { expiresInMinutes: 10, gateway });
    await this.#payAndPost(orders);
    await repeat(orders.length, (index) => attempt(requestRefund(this.#organizer, orders[index]?.id ?? '')));
  }

  /** Pays orders and posts them to the ledger, so that they can be refunded and paid out. */
  async #payAndPost(orders: readonly Order[]): Promise<void> {
    for (const order of orders) await payOrder(order);
    for (let start = 0; start < orders.length; start += 10) {
      const batch = orders.slice(start, start + 10);
      await fulfilOrders(batch.map(({ id: orderId, eventId, userId }) => ({ orderId, eventId, userId })));
    }
  }

  /** Writes open orders directly to the table, and reserves their inventory. */
  async #insertOrders(
    { eventId, tierId }: Sale,
    count: number,
    { expiresInMinutes, gateway = 'gateway-a' }: { expiresInMinutes: number; gateway?: GatewayName },
  ): Promise<Order[]> {
    const now = Date.now();
    const orders = Array.from({ length: count }, () =>
      createUnpaidOrder(
        { eventId, tierId, userId: this.#buyerId },
        { gateway, expiresAt: now + expiresInMinutes * 60_000 },
      ),
    );
    await putAll(orders.map((order) => insertOrder(order).item.Put?.Item as never));
    const buyer = keys.buyer(eventId, this.#buyerId);
    await write(update(buyer, { add: { total: count, [`tier_${tierId}`]: count } }));
    await write(update(keys.inventoryShard(eventId, tierId, 0), { add: { available: -count } }));
    return orders;
  }
}
