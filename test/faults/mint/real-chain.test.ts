import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { type RawItem, scanTable } from '../../../infra/ops/table.ts';
import { deriveOrderKey, encodeMint } from '../../../shared/chain/contract-calls.ts';
import { findMinter } from '../../../shared/chain/transactions.ts';
import { transition } from '../../../shared/core/state-machine.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { putAll, remove, transact, update, write } from '../../../shared/dynamo/write.ts';
import { advanceNonce, findNextNonce, insertMintTransaction } from '../../../shared/nft/nonce/store.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import { fulfilment, payment } from '../../../shared/orders/lifecycle.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { transitionOrder } from '../../../shared/orders/store.ts';
import { sendMessage } from '../../../shared/runtime/queue.ts';
import { eventually } from '../../support/eventually.ts';
import { pay, Scenario } from './scenario.ts';

/** What the model of the chain in test/simulation does not have: deep reorganisations, refusals and lost tables. */

const admin = { userId: 'admin', role: 'ADMIN', sessionId: 's' } as never;
const blocksPerSecond = 4;
let scenario: Scenario;

beforeAll(async () => {
  scenario = await Scenario.start();
  scenario.startWorker('worker1', 2);
  scenario.world.startSweeper(500);
});
afterEach(() => scenario.node.setBlocksPerSecond(blocksPerSecond));
afterAll(() => scenario?.stop());

describe('a reorganisation that drops the block of a final mint', () => {
  const isMined = async ({ blockchainTxHash }: Order) =>
    (await scenario.node.call('eth_getTransactionReceipt', blockchainTxHash)) !== null;

  async function dropBlockOf({ blockchainTxHash }: Order): Promise<void> {
    const { node } = scenario;
    await node.setBlocksPerSecond(0);
    const receipt = await node.call<{ blockNumber: string }>('eth_getTransactionReceipt', blockchainTxHash);
    const latest = Number(await node.call<string>('eth_blockNumber'));
    await node.reorganise(latest - Number(receipt.blockNumber) + 1);
    node.setBlocksPerSecond(blocksPerSecond);
  }

  it('mints the same tokens again before a later order', async () => {
    const [order] = (await scenario.awaitFulfilment(await scenario.buy(1))) as [Order];
    await dropBlockOf(order);
    await scenario.awaitFulfilment(await scenario.buy(2));
    expect((await scenario.audit()).problems).toEqual([]);
    expect(await scenario.readOrders([order])).toMatchObject([{ blockchainTxHash: order.blockchainTxHash }]);
  });

  it('mints the same tokens again at the next check', async () => {
    const [order] = (await scenario.awaitFulfilment(await scenario.buy(1))) as [Order];
    const { chainId, signer, nonce } = await scenario.getTransaction(order);
    await dropBlockOf(order);
    // The check that otherwise follows 15 minutes after a final mint.
    await sendMessage('mint-tickets', { type: 'check-nonce', chainId, signer, nonce });
    await eventually('the transaction is mined again', () => isMined(order));
    expect((await scenario.audit()).problems).toEqual([]);
  });
});

describe('an order that the chain refuses', () => {
  it('fails with a reason, and the other orders of its batch are minted', async () => {
    const placed = await Promise.all([0, 1, 2].map((index) => scenario.place(index, 1)));
    const { userId, id } = placed[1] as Order;
    const setWallet = (walletAddress: string) => write(update(keys.user(userId), { set: { walletAddress } }));
    await setWallet(`0x${'0'.repeat(40)}`);
    await Promise.all(placed.map(pay));
    const refused = { fulfilmentStatus: 'failed', fulfilmentReason: 'contract-refused' };
    const minted = { fulfilmentStatus: 'minted' };
    expect(await scenario.awaitFulfilment(placed)).toMatchObject([minted, refused, minted]);
    await setWallet(developmentWallet(51).address);
    await requestFulfilment(admin, id);
    expect(await scenario.awaitFulfilment(placed)).toMatchObject([minted, minted, minted]);
    scenario.orders.push(...placed);
    expect((await scenario.audit()).problems).toEqual([]);
  });

  /** Binds an order to a transaction with more gas than a transaction may have. */
  async function bindToInvalidTransaction(order: Order): Promise<void> {
    const { node, minters, contract } = scenario;
    const account = { chainId: node.chainId, signer: minters[0] as string };
    const nonce = (await findNextNonce(account)) ?? 0;
    const orderKey = deriveOrderKey(account.chainId, contract, order.id);
    const data = encodeMint([{ orderKey, to: developmentWallet(51).address, quantity: 1 }]);
    const fees = { maxFeePerGas: 20n * 10n ** 9n, maxPriorityFeePerGas: 20n * 10n ** 9n };
    const draft = {
      chainId: account.chainId,
      nonce,
      to: contract,
      data,
      gasLimit: 26_000_000n,
      ...fees,
    };
    const raw = (await (await findMinter(account.signer))?.sign(draft)) ?? '';
    const at = new Date().toISOString();
    const attempts = [{ raw, at: Date.now() }];
    const transaction = { ...account, nonce, contract, orderIds: [order.id], attempts };
    // No message is sent for this payment, so that no worker binds the order first.
    const settle = transition(payment, 'settle', { paymentTxId: 'tx', queuedAt: at });
    const queue = [settle, transition(fulfilment, 'queue')];
    await write(transitionOrder(order.id, queue, at, { nextDueAt: Date.now() + 10 ** 10 }));
    const mint = { ...account, nonce };
    const bind = transition(fulfilment, 'bind', { mint, mintTransactionHash: '0x', mintingAt: at });
    await transact([
      advanceNonce(transaction, nonce === 0),
      insertMintTransaction(transaction),
      transitionOrder(order.id, [bind], at, { nextDueAt: Date.now() }),
    ]);
  }

  it('has its nonce cancelled when no node accepts its transaction, and later orders are minted', async () => {
    const order = await scenario.place(1, 1);
    await bindToInvalidTransaction(order);
    const later = await scenario.buy(2);
    expect(await scenario.awaitFulfilment([order, ...later])).toMatchObject([
      { fulfilmentStatus: 'failed', fulfilmentReason: 'transaction-invalid' },
      { fulfilmentStatus: 'minted' },
      { fulfilmentStatus: 'minted' },
    ]);
    await requestFulfilment(admin, order.id);
    expect(await scenario.awaitFulfilment([order])).toMatchObject([{ fulfilmentStatus: 'minted' }]);
  });
});

describe('a table restored from a backup taken before a mint', () => {
  async function restoreTable(backup: readonly RawItem[]): Promise<void> {
    const keys = new Set(backup.map(({ pk, sk }) => `${pk} ${sk}`));
    const added = (await scanTable()).filter(({ pk, sk }) => !keys.has(`${pk} ${sk}`));
    for (const { pk, sk } of added) await write(remove({ pk, sk }));
    await putAll(backup as never);
  }

  it('gets its tickets again without another mint, and mints new orders', async () => {
    const orders = await Promise.all([0, 1].map((index) => scenario.place(index, 2)));
    const backup = await scanTable();
    await Promise.all(orders.map(pay));
    const minted = await scenario.awaitFulfilment(orders);
    const { tokens } = await scenario.audit();
    await restoreTable(backup);
    // The gateway redelivers its webhooks.
    await Promise.all(orders.map(pay));
    const rebuilt = await scenario.awaitFulfilment(orders);
    expect(rebuilt.map(({ blockchainTxHash }) => blockchainTxHash)).toEqual(
      minted.map(({ blockchainTxHash }) => blockchainTxHash),
    );
    const [later] = await scenario.awaitFulfilment(await scenario.buy(1));
    expect(later?.fulfilmentStatus).toBe('minted');
    expect((await scenario.audit()).tokens).toBe(tokens + 1);
  });
});
