import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Interface } from 'ethers/abi';
import { Wallet } from 'ethers/wallet';
import { vi } from 'vitest';
import { handler as mintTickets } from '../../../functions/workers/mint-tickets.ts';
import { deployTicketContract } from '../../../infra/contracts/deploy-ticket-contract.ts';
import type { QueueName } from '../../../infra/functions.ts';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { freePort } from '../../../infra/local/services/process.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { newId } from '../../../shared/core/ids.ts';
import { sweep } from '../../../shared/jobs/sweep/sweep-due.ts';
import { readBalances } from '../../../shared/money/ledger/store.ts';
import { requestPayout } from '../../../shared/money/payouts/request-payout.ts';
import { findBurn } from '../../../shared/nft/burning/store.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { requestRefund } from '../../../shared/orders/refunds/refund-order.ts';
import { cancelOrder, settleDueOrder } from '../../../shared/orders/settlement/end-order.ts';
import { receivePayment } from '../../../shared/orders/settlement/settle-order.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { gatewayB } from '../../../shared/payments/gateway-b.ts';
import { signCode } from '../../../shared/tickets/check-in/admissions.ts';
import { checkIn } from '../../../shared/tickets/check-in/check-in-seat.ts';
import { type Backend, runWorkers, startBackend } from '../../support/backend.ts';
import { type Sandbox, startPaymentSandbox } from '../../support/sandbox.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import { type Node, startNode } from '../mint/node.ts';
import type { Action, OrderState, Outcome, TwoStepAction } from './outcomes.ts';

/** A real table, queues, providers' sandbox and chain. The code of endpoints and workers runs in this process. */
export class World {
  readonly #backend: Backend;
  readonly #sandbox: Sandbox;
  readonly #node: Node;
  readonly #contract: string;
  readonly #directory: string;

  private constructor(backend: Backend, sandbox: Sandbox, node: Node, contract: string, directory: string) {
    this.#backend = backend;
    this.#sandbox = sandbox;
    this.#node = node;
    this.#contract = contract;
    this.#directory = directory;
  }

  static async start(): Promise<World> {
    const [backend, sandbox] = [await startBackend(), await startPaymentSandbox()];
    const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-pairs-'));
    const node = await startNode(await freePort(), path.join(directory, 'chain.log'));
    node.setBlocksPerSecond(4);
    const contract = await deployTicketContract({
      rpcUrl: node.url,
      deployerKey: developmentWallet(0).privateKey,
      name: 'Operation pairs',
      symbol: 'MTG',
      minters: [developmentWallet(1).address],
    });
    node.setBlocksPerSecond(0);
    Object.assign(process.env, {
      [`CHAIN_${node.chainId}_RPC_URLS`]: node.url,
      MINTER_PRIVATE_KEY: developmentWallet(1).privateKey,
      TICKET_CONTRACTS: `${node.chainId}:${contract}`,
      RETRY_SECONDS: '60',
    });
    return new World(backend, sandbox, node, contract, directory);
  }

  /**
   * Creates an order of two tickets at 50 dollars in the given state. Its buyer has a new wallet, and its hold has
   * expired.
   */
  async openOrder(state: OrderState | 'minted'): Promise<TestedOrder> {
    const wallet = Wallet.createRandom().address;
    const { chainId } = this.#node;
    const shop = await openShop({ chainId, contractAddress: this.#contract, walletAddress: wallet });
    const order = await shop.order({ gateway: 'gateway-b' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(order.expiresAt) + 1000 });
    const tested = new TestedOrder(this, shop, order, wallet);
    const actionsBefore: Record<typeof state, Action[]> = {
      unpaid: [],
      failed: ['cancel order'],
      paid: ['settle'],
      minted: ['settle', 'mint'],
      burnable: ['settle', 'mint', 'refund'],
    };
    for (const action of actionsBefore[state]) {
      const answer = await tested.act(action);
      if (answer !== 'ok') throw new Error(`${action} was refused: ${answer}`);
    }
    return tested;
  }

  runWorkers(...queues: QueueName[]): Promise<void> {
    return runWorkers(this.#backend, queues);
  }

  /** Calls the sandbox's control API. */
  control<Answer>(path: string, body: object = {}, method?: 'GET'): Promise<Answer> {
    return this.#sandbox.control<Answer>(path, body, method);
  }

  async sweep(...queues: QueueName[]): Promise<void> {
    await sweep(Date.now() + 10_000);
    await this.runWorkers(...queues);
  }

  /** Advances the clock until all work is due, and runs the workers. */
  async finish(orders: readonly TestedOrder[]): Promise<void> {
    for (let round = 1; round <= 3; round++) {
      vi.setSystemTime(Date.now() + 61 * 60_000);
      await this.sweep('run-event-jobs', 'settle-orders', 'fulfil-orders', 'send-money', 'mint-tickets');
      await this.mine();
      for (const order of orders) await order.checkNonces();
    }
  }

  mine(): Promise<void> {
    return this.#node.mine(4);
  }

  /** Counts the tokens of a wallet at the newest block. */
  async countTokens(owner: string): Promise<number> {
    const abi = new Interface(['function balanceOf(address) view returns (uint256)']);
    const data = abi.encodeFunctionData('balanceOf', [owner]);
    return Number(await this.#node.call('eth_call', { to: this.#contract, data }, 'latest'));
  }

  async stop(): Promise<void> {
    await this.#node.stop();
    await this.#sandbox.stop();
    await this.#backend.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** An order, and the actions on it. */
export class TestedOrder {
  readonly #world: World;
  readonly #shop: Shop;
  readonly #order: Order;
  readonly #wallet: string;

  constructor(world: World, shop: Shop, order: Order, wallet: string) {
    this.#world = world;
    this.#shop = shop;
    this.#order = order;
    this.#wallet = wallet;
  }

  /** Runs an action, and repeats it while its error has `retryAfter`. @returns `ok`, or the error code */
  async act(action: Action): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#actions[action]();
        return 'ok';
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (error.retryAfter === undefined || attempt === 10) return error.code;
        await sleep(50);
      }
    }
  }

  /** Runs only the first step of an action. Workers, gateway and chain run the other steps later. */
  async begin(action: TwoStepAction): Promise<void> {
    const { id: orderId } = this.#order;
    if (action === 'mint') await deliver({ type: 'mint-order', orderId });
    if (action === 'burn') await deliver({ type: 'burn', burnOrderId: orderId });
    if (action === 'refund') await requestRefund(this.#organizer, orderId);
    if (action === 'pay out') await this.#requestPayout();
  }

  async readOutcome(): Promise<Outcome> {
    const { id, reference } = this.#order;
    const { paymentStatus, holdsInventory, admitted = 0 } = await getOrder(id);
    const payment = await this.#world.control<{ paid?: object; refunds: { amount: number }[] }>(
      `payments/${reference}`,
      {},
      'GET',
    );
    const refunds = payment.refunds.map(({ amount }) => amount);
    if (![0, 102.5].includes(refunds.reduce((sum, amount) => sum + amount, 0))) {
      throw new Error(`The buyer got ${refunds.join(' and ')} dollars back`);
    }
    const [balance] = await readBalances(this.#shop.organizerId);
    const toDollars = (account: 'available' | 'pending' | 'paidOut') => Number(balance?.[account] ?? 0) / 100;
    return {
      paymentStatus: paymentStatus as Outcome['paymentStatus'],
      holdsInventory,
      money: refunds.length > 0 ? 'returned' : payment.paid ? 'paid' : 'not paid',
      available: toDollars('available'),
      pending: toDollars('pending'),
      paidOut: toDollars('paidOut'),
      tokens: await this.#world.countTokens(this.#wallet),
      admitted,
    };
  }

  readonly #actions: Record<Action, () => Promise<unknown>> = {
    'cancel event': async () => {
      await this.#shop.cancelEvent();
      await this.#world.sweep('run-event-jobs', 'settle-orders', 'fulfil-orders');
      await this.#world.sweep('send-money');
    },
    'cancel order': () => cancelOrder(this.#shop.buyerId, this.#order.id),
    expire: () => settleDueOrder(this.#order.id),
    fail: () => this.#reportPayment('failed'),
    settle: () => this.#reportPayment('paid'),
    'late settle': () => this.#reportPayment('paid'),
    refund: async () => {
      await requestRefund(this.#organizer, this.#order.id);
      await this.#world.runWorkers('send-money');
    },
    'check in': async () => {
      const code = await signCode({ orderId: this.#order.id, number: 1, transfers: 0 });
      await checkIn(this.#organizer, { code });
    },
    mint: () => this.#mint({ type: 'mint-order', orderId: this.#order.id }),
    burn: () => this.#mint({ type: 'burn', burnOrderId: this.#order.id }),
    'pay out': async () => {
      await this.#requestPayout();
      await this.#world.runWorkers('send-money');
    },
  };

  get #organizer() {
    return { userId: this.#shop.organizerId, email: '', role: 'ORGANIZER' } as const;
  }

  /** Pays or declines the payment at the gateway, and processes the report that its webhook would contain. */
  async #reportPayment(kind: 'paid' | 'failed'): Promise<void> {
    const { reference, totalAmount: amount, currency } = this.#order;
    const { id } = await this.#world.control<{ id: number }>(`payments/${reference}`, {}, 'GET');
    await this.#world.control(`payments/${reference}/${kind === 'paid' ? 'pay' : 'decline'}`, {
      webhook: false,
    });
    await receivePayment(gatewayB, { kind, reference, transactionId: String(id), amount, currency });
    await this.#world.runWorkers('fulfil-orders');
  }

  /** Runs the mint worker for a message, and again when its transaction is mined. */
  async #mint(message: object): Promise<void> {
    await deliver(message);
    await this.#world.mine();
    await this.checkNonces();
  }

  /** Runs the mint worker on the order's transactions. */
  async checkNonces(): Promise<void> {
    const { id } = this.#order;
    const [{ mint }, burn] = [await getOrder(id), await findBurn(id)];
    if (mint) await deliver(mint);
    if (burn?.transaction) await deliver({ chainId: burn.chainId, ...burn.transaction });
  }

  async #requestPayout(): Promise<void> {
    const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Ann' };
    const request = { amount: 100, currency: 'USD', gateway: 'gateway-b', destination } as const;
    await requestPayout(this.#shop.organizerId, request, newId());
  }
}

/** Delivers a message to the mint worker, as the queue does. */
async function deliver(message: object): Promise<void> {
  const record = {
    messageId: '1',
    body: JSON.stringify(message),
    attributes: { ApproximateReceiveCount: '1' },
  };
  // biome-ignore lint/suspicious/noExplicitAny: handlers are called as Lambda calls them
  const { batchItemFailures } = await (mintTickets as any)(
    { Records: [record] },
    { getRemainingTimeInMillis: () => 60_000 },
  );
  if (batchItemFailures.length > 0) throw new Error(`The mint worker returned ${record.body} as failed`);
}
