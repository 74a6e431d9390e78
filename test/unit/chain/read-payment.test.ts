import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getChain } from '../../../shared/chain/chains.ts';
import { RpcNode } from '../../../shared/chain/connection.ts';
import { type PaymentExpectation, readPayment } from '../../../shared/chain/read-payment.ts';
import { checksumAddress } from '../../../shared/core/schemas.ts';
import {
  type Anvil,
  type BuyerWallet,
  deployTokenAt,
  type Instructions,
  openWallet,
  startAnvil,
} from '../../support/chain.ts';

/**
 * Reads payments from a real node that mines every transaction at once. A transaction is final at a depth of three
 * blocks.
 */

const development = getChain(31337);
const chainIds = [1, 10, 137, 8453, 42161, 80002, 11155111, 424242];
const treasury = '0x00000000000000000000000000000000000b0d1e';
const token = '0x00000000000000000000000000000000000c0ffe';
const otherToken = '0x0000000000000000000000000000000000000bad';
const data = '0xb0a7';
const amount = '1000';

let node: Anvil;
let endpoint: RpcNode;
let wallet: BuyerWallet;
beforeAll(async () => {
  node = await startAnvil({ chainId: development.id });
  endpoint = new RpcNode(node.url);
  const chainNode = { chainRpcUrl: node.url, chainId: node.chainId };
  wallet = await openWallet(chainNode);
  await deployTokenAt(chainNode, token, wallet.address, 10_000n);
  await deployTokenAt(chainNode, otherToken, wallet.address, 10_000n);
}, 60_000);
afterAll(async () => {
  wallet.close();
  await node.stop();
});

async function payAndMine(instructions: Instructions, changes: object = {}): Promise<string> {
  const hash = await wallet.pay(instructions, changes);
  await wallet.waitUntilMined(hash);
  return hash;
}

const mineBlocks = (blocks: number) => endpoint.call('anvil_mine', [`0x${blocks.toString(16)}`]);
const read = (hash: string, changes: Partial<PaymentExpectation> = {}, chain = development) =>
  readPayment(endpoint, chain, hash, {
    to: treasury,
    token: null,
    reference: data,
    notBefore: Date.now() - 1000,
    ...changes,
  });

describe.each([
  ['native coin', null],
  ['token', token],
])('a payment in the %s', (_, token) => {
  const pay = (changes: object = {}) => payAndMine({ to: treasury, token, amount, data }, changes);

  it('is final once it is three blocks deep', async () => {
    const hash = await pay();
    expect(await read(hash, { token })).toEqual({ kind: 'unconfirmed' });
    await mineBlocks(1);
    expect(await read(hash, { token })).toEqual({ kind: 'unconfirmed' });
    await mineBlocks(1);
    expect(await read(hash, { token })).toEqual({ kind: 'final', amount, minedAt: expect.any(Number) });
    expect(
      await read(hash, { token, to: checksumAddress(treasury), reference: data.toUpperCase() }),
    ).toMatchObject({
      amount,
    });
  });

  it.each([
    ['without the reference', { data: '0x' }, 'reference'],
    ['with another reference', { data: '0xb0a8' }, 'reference'],
  ])('%s is invalid at any depth', async (_, changes, reason) => {
    const hash = await pay(changes);
    expect(await read(hash, { token })).toEqual({ kind: 'invalid', reason });
    await mineBlocks(3);
    expect(await read(hash, { token })).toEqual({ kind: 'invalid', reason });
  });

  it('of no amount is invalid once it is final', async () => {
    const hash = await pay({ amount: '0' });
    await mineBlocks(2);
    expect(await read(hash, { token })).toEqual({ kind: 'invalid', reason: 'recipient' });
  });

  it('is invalid for an order that was created after it', async () => {
    const hash = await pay();
    await mineBlocks(2);
    expect(await read(hash, { token, notBefore: Date.now() + 3_600_000 })).toEqual({
      kind: 'invalid',
      reason: 'too-early',
    });
    // Within the tolerance for clock differences.
    expect(await read(hash, { token, notBefore: Date.now() + 1_000 })).toEqual({
      kind: 'final',
      amount,
      minedAt: expect.any(Number),
    });
  });
});

it('a transfer of the token to another recipient is invalid once it is final', async () => {
  const hash = await payAndMine({ to: `0x${'5a'.repeat(20)}`, token, amount, data });
  await mineBlocks(2);
  expect(await read(hash, { token })).toEqual({ kind: 'invalid', reason: 'recipient' });
});

it('a payment in another coin, or through a contract, may have paid where it carries the reference', async () => {
  for (const sent of [otherToken, null]) {
    const hash = await payAndMine({ to: treasury, token: sent, amount, data });
    expect(await read(hash, { token })).toEqual({ kind: 'invalid', reason: 'indirect' });
    const withoutReference = await payAndMine({ to: treasury, token: sent, amount, data: '0x' });
    expect(await read(withoutReference, { token })).toEqual({ kind: 'invalid', reason: 'recipient' });
  }
  const failed = await payAndMine({ to: treasury, token, amount: '10001', data });
  expect(await read(failed)).toEqual({ kind: 'invalid', reason: 'recipient' });
  const throughContract = await payAndMine({ to: `0x${'5a'.repeat(20)}`, token: null, amount, data });
  expect(await read(throughContract)).toEqual({ kind: 'invalid', reason: 'indirect' });
});

it('a transfer beyond the balance is invalid once it is final', async () => {
  const hash = await payAndMine({ to: treasury, token, amount: '10001', data });
  expect(await read(hash, { token })).toEqual({ kind: 'unconfirmed' });
  await mineBlocks(2);
  expect(await read(hash, { token })).toEqual({ kind: 'invalid', reason: 'reverted' });
});

it('a transaction that is not mined is not final yet, and is refused if it can’t pay the order', async () => {
  expect(await read(`0x${'ab'.repeat(32)}`)).toEqual({ kind: 'unknown' });
  await endpoint.call('evm_setAutomine', [false]);
  const hash = await wallet.pay({ to: treasury, token: null, amount, data });
  expect(await read(hash)).toEqual({ kind: 'unmined' });
  expect(await read(hash, { reference: '0xb0a8' })).toEqual({ kind: 'invalid', reason: 'reference' });
  await endpoint.call('evm_setAutomine', [true]);
  await mineBlocks(3);
  expect(await read(hash)).toEqual({ kind: 'final', amount, minedAt: expect.any(Number) });
});

it('a node of another chain is not used', async () => {
  const hash = await payAndMine({ to: treasury, token: null, amount, data });
  await expect(read(hash, {}, getChain(1))).rejects.toThrow('serves chain');
});

it.each(chainIds)('a payment on chain %i waits for the finalized tag', (id) => {
  expect(getChain(id).paymentFinality).toBe('finalized');
});

it('a payment is not final at the depth at which mints are final', async () => {
  const rollup = { ...development, finality: 1, paymentFinality: 'finalized' } as const;
  const hash = await payAndMine({ to: treasury, token: null, amount, data });
  await mineBlocks(3);
  expect(await read(hash, {}, rollup)).toEqual({ kind: 'unconfirmed' });
  // Anvil's `finalized` is 64 blocks behind the newest.
  await mineBlocks(70);
  expect(await read(hash, {}, rollup)).toEqual({ kind: 'final', amount, minedAt: expect.any(Number) });
});
