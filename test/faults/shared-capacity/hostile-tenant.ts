import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { developmentWallet } from '../../../infra/local/parts/contract.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { newId } from '../../../shared/core/ids.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { putAll, update, write } from '../../../shared/dynamo/write.ts';
import { changeEvent } from '../../../shared/events/editing/change-event.ts';
import { fulfilOrders } from '../../../shared/orders/fulfilment/fulfil-orders.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { requestRefund } from '../../../shared/orders/refunds/request-refund.ts';
import { confirmOrder } from '../../../shared/orders/settlement/confirm-order.ts';
import { insertOrder } from '../../../shared/orders/store.ts';
import type { GatewayName } from '../../../shared/payments/gateway.ts';
import { requestPayout } from '../../../shared/payouts/request-payout.ts';
import { unpaidOrder } from '../../support/unpaid-order.ts';
import { hostileKinds } from '../mint/hostile-contracts.ts';
import type { Parts } from './parts.ts';
import { authorize, openSale, order, pay, register, type Sale } from './tenant.ts';

export const acts = [
  'names the contract of another',
  'sells on hostile contracts',
  'fulfils in a loop',
  'sells orders of 500 tickets and refunds them',
  'cancels an event with many orders',
  'cancels many events',
  'confirms random hashes',
  'opens holds up to the limits',
  'lets many holds expire',
  'lets holds expire at a provider that fails',
  'refunds many orders',
  'refunds many orders at a provider that fails',
  'asks for many payouts at a provider that fails',
  'creates fat events',
] as const;

/** An act of the hostile tenant in a round; the size (1 to 3) multiplies its volume. */
export interface Act {
  do: (typeof acts)[number];
  round: number;
  size: number;
}

export const act: fc.Arbitrary<Act> = fc.record({
  do: fc.constantFrom(...acts),
  round: fc.integer({ min: 0, max: 5 }),
  size: fc.integer({ min: 1, max: 3 }),
});

const wallet = developmentWallet(60).address;
const hash = () => `0x${randomBytes(32).toString('hex')}`;

/** Ignores refusals, which an attacker expects. Any other error is a defect. */
async function attempt<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** How many calls are made at a time. With more, they wait for the local table longer than a request may take. */
const lanes = 10;

/** Waits for all, so that none goes on beside the next history when one fails. */
async function repeat<Result>(count: number, work: (at: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const left = Array.from({ length: count }, (_, index) => index).values();
  const lane = async () => {
    for (const index of left) results[index] = await work(index);
  };
  const all = Array.from({ length: lanes }, lane);
  await Promise.allSettled(all);
  await Promise.all(all);
  return results;
}

/** An organizer with as many events and accounts as it likes. */
export class HostileTenant {
  readonly #parts: Parts;
  readonly #organizerId: string;
  readonly #buyer: string;

  private constructor(parts: Parts, organizerId: string, buyer: string) {
    this.#parts = parts;
    this.#organizerId = organizerId;
    this.#buyer = buyer;
  }

  static async open(parts: Parts): Promise<HostileTenant> {
    const organizerId = await register();
    await authorize(organizerId, parts.contracts.hostile);
    for (const contract of Object.values(parts.hostile)) await authorize(organizerId, contract);
    return new HostileTenant(parts, organizerId, await register(wallet));
  }

  async perform({ do: name, size }: Act): Promise<void> {
    await this.#acts[name](size);
  }

  readonly #acts: Record<Act['do'], (size: number) => Promise<unknown>> = {
    'names the contract of another': async (size) => {
      const sale = await this.#openSale({ price: 0, contract: this.#parts.contracts.honest });
      await repeat(10 * size, () => order(sale, this.#buyer));
    },
    'sells on hostile contracts': (size) =>
      repeat(hostileKinds.length, async (at) => {
        const contract = this.#parts.hostile[hostileKinds[at] as (typeof hostileKinds)[number]];
        const sale = await this.#openSale({ price: 0, contract });
        await repeat(4 * size, () => order(sale, this.#buyer));
      }),
    'fulfils in a loop': async (size) => {
      const sale = await this.#openSale({ price: 0, contract: this.#parts.hostile.lies });
      const made = await repeat(size, () => order(sale, this.#buyer));
      for (const { id } of made) await repeat(10, () => attempt(requestFulfilment(this.#caller, id)));
    },
    'sells orders of 500 tickets and refunds them': async (size) => {
      const sale = await this.#openSale({ contract: this.#parts.contracts.hostile, quantity: 10_000 });
      const made = await repeat(size, () => order(sale, this.#buyer, { quantity: 500 }));
      for (const one of made) await pay(one);
    },
    'cancels an event with many orders': async (size) => {
      const sale = await this.#openSale();
      await this.#place(sale, 150 * size, { expiresIn: 10 });
      await this.#cancel(sale);
    },
    'cancels many events': (size) =>
      repeat(10 * size, async () => {
        const sale = await this.#openSale();
        await this.#place(sale, 3, { expiresIn: 10 });
        await this.#cancel(sale);
      }),
    'confirms random hashes': async (size) => {
      const sale = await this.#openSale({ currency: 'ETH', price: 0.01 });
      await repeat(2 * size, async () => {
        const buyer = await register(wallet);
        for (let open = 0; open < 6; open++) {
          const made = await attempt(order(sale, buyer, { paymentMethod: 'CRYPTO' }));
          if (made) await attempt(confirmOrder(buyer, made.id, hash()));
        }
      });
    },
    'opens holds up to the limits': async (size) => {
      const sale = await this.#openSale({ quantity: 10 * size });
      const buyers = await repeat(4 * size, () => register());
      for (const buyer of buyers) await attempt(order(sale, buyer, { quantity: 3, gateway: 'gateway-a' }));
    },
    'lets many holds expire': async (size) =>
      this.#place(await this.#openSale(), 40 * size, { expiresIn: -1 }),
    'lets holds expire at a provider that fails': async (size) =>
      this.#place(await this.#openSale(), 20 * size, { expiresIn: -1, gateway: 'gateway-b' }),
    'refunds many orders': (size) => this.#refundMany(30 * size, 'gateway-a'),
    'refunds many orders at a provider that fails': (size) => this.#refundMany(30 * size, 'gateway-b'),
    'asks for many payouts at a provider that fails': async (size) => {
      const made = await this.#place(await this.#openSale(), 10, { expiresIn: 10, gateway: 'gateway-b' });
      await this.#payAndPost(made);
      const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Eve' };
      const request = { amount: 1, currency: 'USD', gateway: 'gateway-b', destination } as const;
      for (let asked = 0; asked < 30 * size; asked++)
        await attempt(requestPayout(this.#organizerId, request, newId()));
    },
    'creates fat events': (size) =>
      repeat(5 * size, () => this.#openSale({ description: 'x'.repeat(5_000) })),
  };

  get #caller() {
    return { userId: this.#organizerId, role: 'ORGANIZER' } as never;
  }

  #openSale(options: Parameters<typeof openSale>[1] = {}): Promise<Sale> {
    return openSale(this.#organizerId, { quantity: 1_000, ...options });
  }

  async #cancel({ eventId }: Sale): Promise<void> {
    await changeEvent(eventId, this.#organizerId, (event) => ({ ...event, status: 'CANCELLED' }));
  }

  async #refundMany(count: number, gateway: GatewayName): Promise<void> {
    const made = await this.#place(await this.#openSale(), count, { expiresIn: 10, gateway });
    await this.#payAndPost(made);
    await repeat(made.length, (at) => attempt(requestRefund(this.#caller, made[at]?.id ?? '')));
  }

  /** Orders can be paid out and refunded once they are posted. */
  async #payAndPost(orders: readonly Order[]): Promise<void> {
    for (const one of orders) await pay(one);
    for (let start = 0; start < orders.length; start += 10) {
      const some = orders.slice(start, start + 10);
      await fulfilOrders(some.map(({ id: orderId, eventId, userId }) => ({ orderId, eventId, userId })));
    }
  }

  /** Writes open orders directly to the table, and reserves their inventory. */
  async #place(
    { eventId, tierId }: Sale,
    count: number,
    { expiresIn, gateway = 'gateway-a' }: { expiresIn: number; gateway?: GatewayName },
  ): Promise<Order[]> {
    const now = Date.now();
    const orders = Array.from({ length: count }, () =>
      unpaidOrder({ eventId, tierId, userId: this.#buyer }, { gateway, expiresAt: now + expiresIn * 60_000 }),
    );
    await putAll(orders.map((one) => insertOrder(one).item.Put?.Item as never));
    const buyer = keys.buyer(eventId, this.#buyer);
    await write(update(buyer, { add: { total: count, [`tier_${tierId}`]: count } }));
    await write(update(keys.stock(eventId, tierId, 0), { add: { available: -count } }));
    return orders;
  }
}
