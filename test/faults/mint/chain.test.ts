import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readSigned } from '../../../shared/chain/transactions.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { send } from '../../../shared/runtime/queue.ts';
import type { Call, Fault } from '../../support/fault-proxy.ts';
import { Drama, happens } from './drama.ts';
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
import { first } from './table-faults.ts';

const pace = 4;
const minutes = 30;

let drama: Drama;
const endings: (() => void)[] = [];

/** Adds a fault until the test, or what is returned, ends it. */
function inject(fault: Fault): () => void {
  const end = drama.world.add(fault);
  endings.push(end);
  return end;
}

const isSend = ({ method }: Call) => method === 'eth_sendRawTransaction';
const isMined = async ({ blockchainTxHash }: Order) =>
  (await drama.world.node.call('eth_getTransactionReceipt', blockchainTxHash)) !== null;
const isReplaced = async (order: Order) => (await drama.transactionOf(order)).attempts.length > 1;

/** An order whose transaction waits at the node, while the chain stands still. */
async function buyWhileStill(): Promise<Order> {
  drama.world.node.setPace(0);
  const [order] = await drama.buy(1);
  if (!order) throw new Error('Nothing bought');
  await drama.until([order], ({ fulfilmentStatus }) => fulfilmentStatus === 'minting');
  const { attempts } = await drama.transactionOf(order);
  const { hash } = readSigned(attempts[0]?.raw ?? '');
  await happens(async () => (await drama.world.node.call('eth_getTransactionByHash', hash)) !== null);
  return order;
}

beforeAll(async () => {
  drama = await Drama.start({ sweepMilliseconds: 100 });
  drama.world.startWorker('worker1', 2);
  drama.world.startSweeper();
});
afterEach(async () => {
  for (const end of endings.splice(0)) end();
  drama.world.node.setPace(pace);
  expect((await drama.audit()).problems).toEqual([]);
});
afterAll(() => drama?.world.stop());

describe('a paid order is minted once when', () => {
  it('the node takes the transaction and drops the connection (9)', async () => {
    const loss = first(isSend, acceptThenDrop);
    inject(loss);
    await drama.settled(await drama.buy(1));
    expect(loss.left).toBe(0);
  });

  it('the node forgets the transaction (9)', async () => {
    const loss = first(isSend, forget);
    inject(loss);
    await drama.settled(await drama.buy(1));
    expect(loss.left).toBe(0);
  });

  it('eth_blockNumber fails while it is sent (10)', async () => {
    const end = inject(on('eth_blockNumber', async () => failure('overloaded')));
    const [order] = await drama.buy(1);
    const sent = async () => {
      const { raw } = (await drama.transactionOf(order as Order)).attempts[0] ?? { raw: '' };
      return (await drama.world.node.call('eth_getTransactionReceipt', readSigned(raw).hash)) !== null;
    };
    await drama.until([order as Order], ({ mint }) => mint !== undefined);
    await happens(sent);
    end();
    await drama.settled([order as Order]);
  });

  it(`no node answers for ${minutes} minutes of the sweep (11)`, async () => {
    const under = await buyWhileStill();
    let [calls, sweeps] = [0, 0];
    const end = inject((call, forward) => {
      calls += call.target === 'a' ? 1 : 0;
      return down(call, forward);
    });
    drama.world.node.setPace(pace);
    const waiting = await drama.buy(5);
    const stop = drama.world.onSweep(() => sweeps++);
    await happens(() => sweeps > minutes, 40);
    stop();
    expect(calls).toBeGreaterThan(minutes);
    expect((await drama.audit()).deadLetters).toEqual([]);
    end();
    await drama.settled([under, ...waiting]);
  });

  it('the node never shows a receipt (12)', async () => {
    let asked = 0;
    inject((call, forward) => {
      asked += call.method === 'eth_getTransactionReceipt' ? 1 : 0;
      return receiptsMissing(call, forward);
    });
    await drama.settled(await drama.buy(2));
    expect(asked).toBeGreaterThan(0);
  });

  it('the account has more, then fewer transactions than it has, says the node (13)', async () => {
    const under = await buyWhileStill();
    for (const by of [7, -2]) {
      const lie = first(({ method }) => method === 'eth_getTransactionCount', nonceOff(by), 5);
      inject(lie);
      await happens(() => lie.left === 0);
    }
    drama.world.node.setPace(pace);
    await drama.settled([under]);
  });

  it('gas gets dear, and the node demands a tenth more for a replacement (15)', async () => {
    const rule = demandTenPercent(drama.world.node);
    inject(rule);
    const order = await buyWhileStill();
    await drama.world.node.setBaseFee(100n * 10n ** 9n);
    drama.world.node.setPace(pace);
    await drama.settled([order]);
    expect(rule.replaced).toBeGreaterThan(0);
    expect(rule.refused).toBe(0);
  });

  it('the original is mined just before its replacement arrives (16)', async () => {
    const order = await buyWhileStill();
    const original = (await drama.transactionOf(order)).attempts[0];
    inject(
      first(
        (call) => isSend(call) && call.body.params[0] !== original?.raw,
        async (_call, forward) => {
          await drama.world.node.mine();
          return forward();
        },
      ),
    );
    await happens(() => isReplaced(order));
    drama.world.node.setPace(pace);
    const [settled] = await drama.settled([order]);
    expect(settled?.blockchainTxHash).toBe(readSigned(original?.raw ?? '').hash);
  });

  it('a reorganisation throws it out before it is final (18)', async () => {
    const order = await buyWhileStill();
    await drama.world.node.mine(2);
    await drama.world.node.reorganise(2);
    drama.world.node.setPace(pace);
    await drama.settled([order]);
  });

  it('a reorganisation throws out what was final, and later orders wait behind it (18)', async () => {
    const done = await drama.settled(await drama.buy(1));
    drama.world.node.setPace(0);
    await drama.world.node.reorganise(12);
    expect(await isMined(done[0] as Order)).toBe(false);
    drama.world.node.setPace(pace);
    const later = await drama.settled(await drama.buy(2));
    expect(later.every(({ fulfilmentStatus }) => fulfilmentStatus === 'minted')).toBe(true);
    const again = await drama.read(done);
    expect(again.map(({ blockchainTxHash }) => blockchainTxHash)).toEqual(
      done.map(({ blockchainTxHash }) => blockchainTxHash),
    );
  });

  it('a reorganisation throws out what was final, and nobody buys any more (18)', async () => {
    const [order] = (await drama.settled(await drama.buy(1))) as [Order];
    const transaction = await drama.transactionOf(order);
    drama.world.node.setPace(0);
    await drama.world.node.reorganise(12);
    expect(await isMined(order)).toBe(false);
    drama.world.node.setPace(pace);
    // The last look, which follows a quarter of an hour after the mint was final.
    const { chainId, signer, nonce } = transaction;
    await send('mint', { chainId, signer, nonce });
    await happens(() => isMined(order));
  });
});
