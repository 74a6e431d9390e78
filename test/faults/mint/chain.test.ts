import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { sendMessage } from '../../../shared/runtime/queue.ts';
import { eventually } from '../../support/eventually.ts';
import type { Call, Fault } from '../../support/fault-proxy.ts';
import {
  acceptThenDrop,
  demandTenPercent,
  down,
  failure,
  forget,
  nonceOff,
  on,
  receiptsMissing,
} from './rpc-faults.ts';
import { Scenario } from './scenario.ts';
import { first } from './table-faults.ts';

const pace = 4;
const minutes = 30;

let scenario: Scenario;
const endings: (() => void)[] = [];

/** Adds a fault until the end of the test. @returns a function that removes it earlier */
function inject(fault: Fault): () => void {
  const end = scenario.world.add(fault);
  endings.push(end);
  return end;
}

const isSend = ({ method }: Call) => method === 'eth_sendRawTransaction';
const isMined = async ({ blockchainTxHash }: Order) =>
  (await scenario.world.node.call('eth_getTransactionReceipt', blockchainTxHash)) !== null;
const isReplaced = async (order: Order) => (await scenario.transactionOf(order)).attempts.length > 1;

/** An order whose transaction is pending at the node while no blocks are mined. */
async function buyWhileStill(): Promise<Order> {
  scenario.world.node.setPace(0);
  const [order] = await scenario.buy(1);
  if (!order) throw new Error('Nothing bought');
  await scenario.until([order], ({ fulfilmentStatus }) => fulfilmentStatus === 'minting');
  const { attempts } = await scenario.transactionOf(order);
  const { hash } = decodeTransaction(attempts[0]?.raw ?? '');
  const isPending = async () => (await scenario.world.node.call('eth_getTransactionByHash', hash)) !== null;
  await eventually('the node has the transaction', isPending);
  return order;
}

beforeAll(async () => {
  scenario = await Scenario.start({ sweepMilliseconds: 100 });
  scenario.world.startWorker('worker1', 2);
  scenario.world.startSweeper();
});
afterEach(async () => {
  for (const end of endings.splice(0)) end();
  scenario.world.node.setPace(pace);
  expect((await scenario.audit()).problems).toEqual([]);
});
afterAll(() => scenario?.world.stop());

describe('a paid order is minted once when', () => {
  it('the node accepts the transaction and drops the connection', async () => {
    const loss = first(isSend, acceptThenDrop);
    inject(loss);
    await scenario.settled(await scenario.buy(1));
    expect(loss.left).toBe(0);
  });

  it('the node drops the transaction', async () => {
    const loss = first(isSend, forget);
    inject(loss);
    await scenario.settled(await scenario.buy(1));
    expect(loss.left).toBe(0);
  });

  it('eth_blockNumber fails while it is broadcast', async () => {
    const end = inject(on('eth_blockNumber', async () => failure('overloaded')));
    const [order] = await scenario.buy(1);
    const sent = async () => {
      const { raw } = (await scenario.transactionOf(order as Order)).attempts[0] ?? { raw: '' };
      return (
        (await scenario.world.node.call('eth_getTransactionReceipt', decodeTransaction(raw).hash)) !== null
      );
    };
    await scenario.until([order as Order], ({ mint }) => mint !== undefined);
    await eventually('the transaction is mined', sent);
    end();
    await scenario.settled([order as Order]);
  });

  it(`all nodes are down for ${minutes} sweeps`, async () => {
    const under = await buyWhileStill();
    let [calls, sweeps] = [0, 0];
    const end = inject((call, forward) => {
      calls += call.target === 'a' ? 1 : 0;
      return down(call, forward);
    });
    scenario.world.node.setPace(pace);
    const waiting = await scenario.buy(5);
    const stop = scenario.world.onSweep(() => sweeps++);
    await eventually('the sweeps are done', () => sweeps > minutes);
    stop();
    expect(calls).toBeGreaterThan(minutes);
    expect((await scenario.audit()).deadLetters).toEqual([]);
    end();
    await scenario.settled([under, ...waiting]);
  });

  it('the node never returns a receipt', async () => {
    let asked = 0;
    inject((call, forward) => {
      asked += call.method === 'eth_getTransactionReceipt' ? 1 : 0;
      return receiptsMissing(call, forward);
    });
    await scenario.settled(await scenario.buy(2));
    expect(asked).toBeGreaterThan(0);
  });

  it('the node reports too many transactions of the account, then too few', async () => {
    const under = await buyWhileStill();
    for (const by of [7, -2]) {
      const wrong = first(({ method }) => method === 'eth_getTransactionCount', nonceOff(by), 5);
      inject(wrong);
      await eventually('the wrong count is given', () => wrong.left === 0);
    }
    scenario.world.node.setPace(pace);
    await scenario.settled([under]);
  });

  it('gas prices rise, and the node demands a tenth more for a replacement', async () => {
    const rule = demandTenPercent(scenario.world.node);
    inject(rule);
    const order = await buyWhileStill();
    await scenario.world.node.setBaseFee(100n * 10n ** 9n);
    scenario.world.node.setPace(pace);
    await scenario.settled([order]);
    expect(rule.replaced).toBeGreaterThan(0);
    expect(rule.refused).toBe(0);
  });

  it('the original is mined just before its replacement arrives', async () => {
    const order = await buyWhileStill();
    const original = (await scenario.transactionOf(order)).attempts[0];
    inject(
      first(
        (call) => isSend(call) && call.body.params[0] !== original?.raw,
        async (_call, forward) => {
          await scenario.world.node.mine();
          return forward();
        },
      ),
    );
    await eventually('the transaction is replaced', () => isReplaced(order));
    scenario.world.node.setPace(pace);
    const [settled] = await scenario.settled([order]);
    expect(settled?.blockchainTxHash).toBe(decodeTransaction(original?.raw ?? '').hash);
  });

  it('a reorganisation drops its block before it is final', async () => {
    const order = await buyWhileStill();
    await scenario.world.node.mine(2);
    await scenario.world.node.reorganise(2);
    scenario.world.node.setPace(pace);
    await scenario.settled([order]);
  });

  it('a reorganisation drops its final block, and later orders follow it', async () => {
    const done = await scenario.settled(await scenario.buy(1));
    scenario.world.node.setPace(0);
    await scenario.world.node.reorganise(12);
    expect(await isMined(done[0] as Order)).toBe(false);
    scenario.world.node.setPace(pace);
    const later = await scenario.settled(await scenario.buy(2));
    expect(later.every(({ fulfilmentStatus }) => fulfilmentStatus === 'minted')).toBe(true);
    const again = await scenario.read(done);
    expect(again.map(({ blockchainTxHash }) => blockchainTxHash)).toEqual(
      done.map(({ blockchainTxHash }) => blockchainTxHash),
    );
  });

  it('a reorganisation drops its final block, and no order follows it', async () => {
    const [order] = (await scenario.settled(await scenario.buy(1))) as [Order];
    const transaction = await scenario.transactionOf(order);
    scenario.world.node.setPace(0);
    await scenario.world.node.reorganise(12);
    expect(await isMined(order)).toBe(false);
    scenario.world.node.setPace(pace);
    // The final check, which is due a quarter of an hour after the mint was final.
    const { chainId, signer, nonce } = transaction;
    await sendMessage('mint', { chainId, signer, nonce });
    await eventually('the transaction is mined again', () => isMined(order));
  });
});
