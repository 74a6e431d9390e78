import { readSigned } from '../../../shared/chain/transactions.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { findOrders } from '../../../shared/orders/store.ts';
import { findMintTransactions } from '../../../shared/tickets/nonce/store.ts';
import type { MintTransaction } from '../../../shared/tickets/nonce/transaction.ts';
import { type Audit, audit } from './audit.ts';
import { openShop, type Shop, sell } from './shop.ts';
import { World, type WorldOptions } from './world.ts';

/** Waits until something is so. @throws Error when it doesn't come about */
export async function happens(holds: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  for (const deadline = Date.now() + seconds * 1000; !(await holds()); ) {
    if (Date.now() > deadline) throw new Error('It never happened');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A world with a shop in it, and all that was bought there. */
export class Drama {
  readonly world: World;
  readonly shop: Shop;
  readonly orders: Order[] = [];
  /** Transactions that were sent before they were stored; there must never be one. */
  readonly unstored: string[] = [];
  /** Orders that can't be minted. */
  readonly hopeless: string[] = [];

  private constructor(world: World, shop: Shop) {
    this.world = world;
    this.shop = shop;
    world.add(async (call, forward) => {
      if (call.method === 'eth_sendRawTransaction') await this.#requireStored(call.body.params[0]);
      return forward();
    });
  }

  static async start(options: WorldOptions = {}): Promise<Drama> {
    const world = await World.start(options);
    const shop = await openShop({ chainId: world.node.chainId, contract: world.contract });
    return new Drama(world, shop);
  }

  async buy(count: number, quantity: (index: number) => number = () => 1): Promise<Order[]> {
    const bought = await sell(this.shop, count, quantity);
    this.orders.push(...bought);
    return bought;
  }

  /** Orders as they stand now. */
  read(orders: readonly Order[]): Promise<Order[]> {
    return findOrders(orders.map(({ id }) => id));
  }

  /** Waits until all have their tickets, or ended without. @throws Error with those that did not */
  async settled(orders: readonly Order[], seconds = 40): Promise<Order[]> {
    return this.until(
      orders,
      ({ fulfilmentStatus }) => !['none', 'queued', 'minting'].includes(fulfilmentStatus),
      seconds,
    );
  }

  /** Waits until something holds for all orders. @throws Error with those for which it doesn't */
  async until(orders: readonly Order[], holds: (order: Order) => boolean, seconds = 20): Promise<Order[]> {
    for (const deadline = Date.now() + seconds * 1000; ; ) {
      const now = await this.read(orders);
      const open = now.filter((order) => !holds(order));
      if (open.length === 0) return now;
      if (Date.now() > deadline) {
        const states = open.map(
          ({ id, fulfilmentStatus, mint }) => `${id} ${fulfilmentStatus} ${mint?.nonce}`,
        );
        throw new Error(`After ${seconds} s: ${states.join(', ')}; see ${this.world.logFile}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The nonce that an order is bound to. */
  async transactionOf(order: Order): Promise<MintTransaction> {
    const [now] = await this.read([order]);
    const [transaction] = now?.mint ? await findMintTransactions([now.mint]) : [];
    if (!transaction) throw new Error(`${order.id} has no nonce`);
    return transaction;
  }

  async audit(): Promise<Audit> {
    const result = await audit(this.world, this.orders, this.hopeless);
    result.problems.push(...this.unstored.map((hash) => `Transaction ${hash} was sent before it was stored`));
    return result;
  }

  async #requireStored(raw: string): Promise<void> {
    const { chainId, nonce, hash } = readSigned(raw);
    const references = this.world.minters.map((signer) => ({ chainId, signer, nonce }));
    const known = await findMintTransactions(references);
    const isStored = known.some((one) => one?.attempts.some((attempt) => attempt.raw === raw));
    if (!isStored) this.unstored.push(hash);
  }
}
