import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import { findMintTransactions, type MintTransaction } from '../../../shared/nft/nonce/store.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { findOrders } from '../../../shared/orders/store.ts';
import { eventually } from '../../support/eventually.ts';
import { type Audit, audit } from './audit.ts';
import { openShop, type Shop, sell } from './shop.ts';
import { World, type WorldOptions } from './world.ts';

/** A fault-injection scenario: a world with a shop, and all orders of the shop. */
export class Scenario {
  readonly world: World;
  readonly shop: Shop;
  readonly orders: Order[] = [];
  /** Hashes of transactions that were sent before they were stored. */
  readonly unstored: string[] = [];

  private constructor(world: World, shop: Shop) {
    this.world = world;
    this.shop = shop;
    world.intercept(async (call, forward) => {
      if (call.method === 'eth_sendRawTransaction') await this.#checkStored(call.body.params[0]);
      return forward();
    });
  }

  static async start(options: WorldOptions = {}): Promise<Scenario> {
    const world = await World.start(options);
    const shop = await openShop({ chainId: world.node.chainId, contract: world.contract });
    return new Scenario(world, shop);
  }

  /** Places and pays orders. @param quantityOf returns the number of tickets of an order, by its index */
  async buy(count: number, quantityOf: (index: number) => number = () => 1): Promise<Order[]> {
    const orders = await sell(this.shop, count, quantityOf);
    this.orders.push(...orders);
    return orders;
  }

  /** Reads the current state of orders. */
  readOrders(orders: readonly Order[]): Promise<Order[]> {
    return findOrders(orders.map(({ id }) => id));
  }

  /**
   * Waits until the fulfilment of all orders has ended: minted, failed or due for a refund.
   * @throws Error with the orders whose fulfilment has not ended
   */
  async awaitFulfilment(orders: readonly Order[], seconds = 40): Promise<Order[]> {
    return this.awaitOrders(
      orders,
      ({ fulfilmentStatus }) => !['none', 'queued', 'minting', 'reissuing'].includes(fulfilmentStatus),
      seconds,
    );
  }

  /** Waits until a condition holds for all orders. @throws Error with the orders for which it does not hold */
  async awaitOrders(
    orders: readonly Order[],
    holds: (order: Order) => boolean,
    seconds = 20,
  ): Promise<Order[]> {
    let current: Order[] = [];
    const holdsForAll = async () => {
      current = await this.readOrders(orders);
      return current.every(holds);
    };
    await eventually('the condition holds for all orders', holdsForAll, { seconds }).catch(({ message }) => {
      const others = current.filter((order) => !holds(order));
      const states = others.map(
        ({ id, fulfilmentStatus, mint }) => `${id} ${fulfilmentStatus} ${mint?.nonce}`,
      );
      throw new Error(`${message}: ${states.join(', ')}; see ${this.world.logFile}`);
    });
    return current;
  }

  /** Returns the transaction of the nonce that an order is bound to. @throws Error when it has none */
  async getTransaction(order: Order): Promise<MintTransaction> {
    const [current] = await this.readOrders([order]);
    const [transaction] = current?.mint ? await findMintTransactions([current.mint]) : [];
    if (!transaction) throw new Error(`${order.id} has no nonce`);
    return transaction;
  }

  async audit(): Promise<Audit> {
    const result = await audit(this.world, this.orders);
    result.problems.push(...this.unstored.map((hash) => `Transaction ${hash} was sent before it was stored`));
    return result;
  }

  /** Records a transaction that is sent before it is stored. */
  async #checkStored(raw: string): Promise<void> {
    const { chainId, nonce, hash } = decodeTransaction(raw);
    const references = this.world.minters.map((signer) => ({ chainId, signer, nonce }));
    const transactions = await findMintTransactions(references);
    const isStored = transactions.some((transaction) =>
      transaction?.attempts.some((attempt) => attempt.raw === raw),
    );
    if (!isStored) this.unstored.push(hash);
  }
}
