import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deployTicketContract } from '../../../infra/contracts/deploy-ticket-contract.ts';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { freePort } from '../../../infra/local/services/process.ts';
import { putBinding } from '../../../shared/catalog/contracts/store.ts';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import { write } from '../../../shared/dynamo/write.ts';
import { findMintTransactions, type MintTransaction } from '../../../shared/nft/nonce/store.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { settle } from '../../../shared/orders/settlement/settle-order.ts';
import { findOrders, insertOrder } from '../../../shared/orders/store.ts';
import type { Bug } from '../../simulation/bugs.ts';
import { eventually } from '../../support/eventually.ts';
import { createUnpaidOrder, insertPerson, openShop, type Shop } from '../../support/shop.ts';
import { World } from '../world.ts';
import { type Audit, audit } from './audit.ts';
import { type Node, startNode } from './node.ts';

const blocksPerSecond = 4;
const buyerCount = 8;
const maximumDeliveries = 10;

export interface ScenarioOptions {
  /** The number of minting accounts. Each has its own sequence of nonces. */
  minterCount?: number;
  /** The names of the nodes that the workers use. All serve the same chain. */
  nodes?: readonly string[];
  /** A deliberate bug to build into the workers. */
  bug?: Bug | undefined;
}

/** Workers that mint on a real EVM, an event on sale with its buyers, and all its orders. */
export class Scenario {
  readonly world: World;
  readonly node: Node;
  readonly minters: string[];
  readonly contract: string;
  readonly orders: Order[] = [];
  /** Hashes of transactions that were sent before they were stored. */
  readonly unstored: string[] = [];
  readonly #nodes: readonly string[];
  readonly #directory: string;
  #shop: Shop | undefined;
  #buyers: string[] = [];

  /** How long orders are held: so long that the sweeper does not expire them, although its clock runs fast. */
  holdMilliseconds = 10 ** 11;

  private constructor(
    { world, node, minters, contract }: Pick<Scenario, 'world' | 'node' | 'minters' | 'contract'>,
    nodes: readonly string[],
    directory: string,
  ) {
    this.world = world;
    this.node = node;
    this.minters = minters;
    this.contract = contract;
    this.#nodes = nodes;
    this.#directory = directory;
    world.intercept(async (call, forward) => {
      if (call.method === 'eth_sendRawTransaction') await this.#checkStored(call.body.params[0]);
      return forward();
    });
  }

  static async start({ minterCount = 1, nodes = ['a'], bug }: ScenarioOptions = {}): Promise<Scenario> {
    const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-mint-'));
    const node = await startNode(await freePort(), path.join(directory, 'node.log'));
    node.setBlocksPerSecond(blocksPerSecond);
    const wallets = Array.from({ length: minterCount }, (_, index) => developmentWallet(index + 1));
    const minters = wallets.map(({ address }) => address);
    const deployerKey = developmentWallet(0).privateKey;
    const names = { name: 'Drill', symbol: 'DRL' };
    const contract = await deployTicketContract({ rpcUrl: node.url, deployerKey, ...names, minters });
    Object.assign(process.env, {
      STAGE: 'drill',
      MINTER_PRIVATE_KEY: wallets.map(({ privateKey }) => privateKey).join(','),
      MINT_BUMP_SECONDS: '2',
    });
    const targets = Object.fromEntries(nodes.map((name) => [name, node.url]));
    const world = await World.start({ directory, targets, timeoutSeconds: 5, bug });
    const scenario = new Scenario({ world, node, minters, contract }, nodes, directory);
    scenario.#shop = await scenario.openShop(contract);
    // No minter uses the development wallets from 50 on.
    const buyers = Array.from({ length: buyerCount }, (_, index) => developmentWallet(50 + index));
    scenario.#buyers = await Promise.all(buyers.map(({ address }) => insertPerson(address)));
    return scenario;
  }

  async stop(): Promise<void> {
    await this.world.stop();
    await this.node.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  startWorker(name: string, pollers: number): void {
    const urls = this.#nodes.map((node) => this.world.proxy.url(name, node)).join(',');
    const environment = { [`CHAIN_${this.node.chainId}_RPC_URLS`]: urls };
    this.world.startWorker(name, ['mint-tickets', 'fulfil-orders'], pollers, environment);
  }

  /** Puts an event on sale whose organizer may use the contract, as an ADMIN decides. */
  async openShop(contractAddress: string): Promise<Shop> {
    const { chainId } = this.node;
    const shop = await openShop({ chainId, contractAddress });
    const { organizerId } = shop;
    const updatedAt = new Date().toISOString();
    await write(putBinding({ chainId, address: contractAddress, organizerId, boundBy: 'admin', updatedAt }));
    return shop;
  }

  /** Creates a PENDING order. @param index the order's index; the buyers take turns */
  async place(index: number, quantity: number, shop = this.#shop as Shop): Promise<Order> {
    const userId = this.#buyers[index % buyerCount] as string;
    const expiresAt = Date.now() + this.holdMilliseconds;
    const order = createUnpaidOrder({ ...shop, userId }, { gateway: 'gateway-a', expiresAt, quantity });
    await write(insertOrder(order));
    return order;
  }

  /** Places and pays orders, 20 at a time. @param quantityOf returns the number of tickets of an order, by its index */
  async buy(count: number, quantityOf = (_index: number) => 1, shop = this.#shop): Promise<Order[]> {
    const bought: Order[] = [];
    for (let start = 0; start < count; start += 20) {
      const indexes = Array.from({ length: Math.min(20, count - start) }, (_, offset) => start + offset);
      const placed = await Promise.all(indexes.map((index) => this.place(index, quantityOf(index), shop)));
      await Promise.all(placed.map(pay));
      bought.push(...placed);
    }
    if (shop === this.#shop) this.orders.push(...bought);
    return bought;
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
    let current: Order[] = [];
    const isOpen = ({ fulfilmentStatus }: Order) =>
      ['none', 'queued', 'minting', 'reissuing'].includes(fulfilmentStatus);
    const haveEnded = async () => {
      current = await this.readOrders(orders);
      return !current.some(isOpen);
    };
    await eventually('all orders are fulfilled', haveEnded, { seconds }).catch(({ message }) => {
      const states = current
        .filter(isOpen)
        .map(({ id, fulfilmentStatus, mint }) => `${id} ${fulfilmentStatus} ${mint?.nonce}`);
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
    const result = await audit(this, this.orders);
    result.problems.push(...this.unstored.map((hash) => `Transaction ${hash} was sent before it was stored`));
    return result;
  }

  /** Records a transaction that is sent before it is stored. */
  async #checkStored(raw: string): Promise<void> {
    const { chainId, nonce, hash } = decodeTransaction(raw);
    const references = this.minters.map((signer) => ({ chainId, signer, nonce }));
    const transactions = await findMintTransactions(references);
    const isStored = transactions.some((transaction) =>
      transaction?.attempts.some((attempt) => attempt.raw === raw),
    );
    if (!isStored) this.unstored.push(hash);
  }
}

/** Settles the order as a gateway's webhook does. The webhook is redelivered while it fails. */
export async function pay(order: Order): Promise<void> {
  const signal = { kind: 'paid', reference: order.reference, transactionId: `tx-${order.id}` } as const;
  for (let delivery = 1; ; delivery++) {
    try {
      await settle(order, signal);
      return;
    } catch (error) {
      if (delivery === maximumDeliveries) throw error;
    }
  }
}
