import { Interface } from 'ethers/abi';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { developmentWallet } from '../../../infra/local/contract.ts';
import { orderKey } from '../../../shared/chain/contract-calls.ts';
import { readSigned } from '../../../shared/chain/transactions.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { update, write } from '../../../shared/dynamo/write.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { applyMove, moveOrder } from '../../../shared/orders/store.ts';
import { Drama, happens } from './drama.ts';
import { pay, placeOrder } from './shop.ts';

const pace = 4;
const nobody = `0x${'0'.repeat(40)}`;
const admin = { userId: 'admin', role: 'ADMIN', sessionId: 's' } as never;
const roles = new Interface([
  'function grantRole(bytes32 role, address account)',
  'function revokeRole(bytes32 role, address account)',
  'function MINTER_ROLE() view returns (bytes32)',
]);

let drama: Drama;

beforeAll(async () => {
  drama = await Drama.start({ sweepMilliseconds: 500 });
  drama.world.startWorker('worker1', 2);
  drama.world.startSweeper();
});
afterEach(() => drama.world.node.setPace(pace));
afterAll(() => drama?.world.stop());

const setWallet = (userId: string, walletAddress: string) =>
  write(update(keys.user(userId), { set: { walletAddress } }));

/** The contract's admin appoints the minter, or dismisses it, before anything else that waits is mined. */
async function appoint(what: 'grantRole' | 'revokeRole'): Promise<void> {
  const [minter] = drama.world.minters;
  const { contract: to, node } = drama.world;
  const answer = await node.call<string>(
    'eth_call',
    { to, data: roles.encodeFunctionData('MINTER_ROLE') },
    'latest',
  );
  const data = roles.encodeFunctionData(what, [answer, minter]);
  const fees = { maxFeePerGas: '0x4a817c8000', maxPriorityFeePerGas: '0x174876e800' };
  const from = developmentWallet(0).address;
  const hash = await node.call<string>('eth_sendTransaction', { from, to, data, gas: '0x30d40', ...fees });
  await node.mine();
  const receipt = await node.call<{ status: string }>('eth_getTransactionReceipt', hash);
  expect(receipt.status).toBe('0x1');
}

/** Orders in one transaction that waits to be mined. */
async function buyWhileStill(count: number): Promise<Order[]> {
  drama.world.node.setPace(0);
  const orders = await drama.buy(count);
  return drama.until(orders, ({ fulfilmentStatus }) => fulfilmentStatus === 'minting');
}

describe('an order that can not be minted', () => {
  it('does not hold up those beside it, and says why (20)', async () => {
    const placed = await Promise.all([0, 1, 2].map((index) => placeOrder(drama.shop, index, 1)));
    const [good, bad, other] = placed as [Order, Order, Order];
    const wallet = developmentWallet(51).address;
    await setWallet(bad.userId, nobody);
    await Promise.all(placed.map(pay));
    const [, failed] = await drama.settled(placed);
    expect(failed).toMatchObject({
      fulfilmentStatus: 'failed',
      fulfilmentReason: `The contract does not mint to the wallet ${nobody}`,
      paymentStatus: 'COMPLETED',
    });
    expect((await drama.read([good, other])).map(({ fulfilmentStatus }) => fulfilmentStatus)).toEqual([
      'minted',
      'minted',
    ]);

    await setWallet(bad.userId, wallet);
    await requestFulfilment(admin, bad.id);
    await drama.settled([bad]);
    drama.orders.push(...placed);
    expect((await drama.audit()).problems).toEqual([]);
  });

  it('fails alone when its transaction was reverted, and can be minted later', async () => {
    const orders = await buyWhileStill(3);
    await appoint('revokeRole');
    drama.world.node.setPace(pace);
    const failed = await drama.settled(orders);
    const reason = `The contract ${drama.world.contract} does not let us mint: grant its MINTER_ROLE to ${drama.world.minters[0]}`;
    for (const order of failed) {
      expect(order).toMatchObject({ fulfilmentStatus: 'failed', paymentStatus: 'COMPLETED' });
      expect([reason, `The contract ${drama.world.contract} did not mint the tickets`]).toContain(
        order.fulfilmentReason,
      );
      expect(order.mint).toBeUndefined();
    }
    drama.world.node.setPace(0);
    await appoint('grantRole');
    drama.world.node.setPace(pace);
    for (const { id } of orders) await requestFulfilment(admin, id);
    const minted = await drama.settled(orders);
    expect(minted.every(({ fulfilmentStatus }) => fulfilmentStatus === 'minted')).toBe(true);
  });

  it.each([
    ['its chain is not set up', { chainId: 424242 }, 'Chain 424242 is not set up for minting'],
    [
      'its address is no contract',
      { contractAddress: developmentWallet(7).address },
      `${developmentWallet(7).address} on Development is not a ticket contract of ours`,
    ],
  ])('says that %s, and can be minted once that is mended', async (_what, broken, reason) => {
    const event = keys.event(drama.shop.eventId);
    await write(update(event, { set: broken }));
    const orders = await drama.buy(1);
    const [failed] = await drama.settled(orders);
    expect(failed).toMatchObject({
      fulfilmentStatus: 'failed',
      fulfilmentReason: reason,
      paymentStatus: 'COMPLETED',
    });
    const mended = { chainId: drama.world.node.chainId, contractAddress: drama.world.contract };
    await write(update(event, { set: mended }));
    await requestFulfilment(admin, failed?.id ?? '');
    const [minted] = await drama.settled(orders);
    expect(minted?.fulfilmentStatus).toBe('minted');
  });

  it('leaves its nonce to nothing when its payment is due back, and those behind it pass', async () => {
    const [gone] = (await buyWhileStill(1)) as [Order];
    drama.orders.pop();
    const due = { fulfilmentStatus: 'refund-due', isBooked: true };
    await applyMove(moveOrder(gone.id, ['COMPLETED'], due, 'never'));
    const closed = async () => {
      const { attempts } = await drama.transactionOf(gone);
      return readSigned(attempts.at(-1)?.raw ?? '').data === '0x';
    };
    await happens(closed);
    drama.world.node.setPace(pace);
    const [later] = await drama.settled(await drama.buy(1));
    expect(later?.fulfilmentStatus).toBe('minted');
    const [still] = await drama.read([gone]);
    expect(still?.fulfilmentStatus).toBe('refund-due');
    const minted = new Interface(['function mintedQuantity(bytes32) view returns (uint256)']);
    const key = orderKey(drama.world.node.chainId, drama.world.contract, gone.id);
    const data = minted.encodeFunctionData('mintedQuantity', [key]);
    expect(
      Number(await drama.world.node.call('eth_call', { to: drama.world.contract, data }, 'latest')),
    ).toBe(0);
  });
});
