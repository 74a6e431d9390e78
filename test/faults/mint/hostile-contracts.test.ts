import { AbiCoder } from 'ethers/abi';
import { getAddress } from 'ethers/address';
import { keccak256 } from 'ethers/crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { putBinding, removeBinding } from '../../../shared/catalog/contracts/store.ts';
import { deriveOrderKey, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { write } from '../../../shared/dynamo/write.ts';
import { findNextNonce } from '../../../shared/nft/nonce/store.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { onMethod, rpcError, rpcResult } from './faults.ts';
import { deployHostileContracts, type HostileKind, hostileKinds } from './hostile-contracts.ts';
import { pay, Scenario } from './scenario.ts';

let scenario: Scenario;
let hostileContracts: Record<HostileKind, string>;

beforeAll(async () => {
  scenario = await Scenario.start();
  hostileContracts = await deployHostileContracts(scenario.node);
  scenario.startWorker('worker1', 2);
  scenario.world.startSweeper(500);
}, 60_000);
afterAll(() => scenario?.stop());

/** The first minting account, whose nonces are used in order. */
const account = () => ({
  chainId: scenario.node.chainId,
  signer: scenario.minters[0] ?? '',
});
const keyOf = ({ id }: Order) => deriveOrderKey(scenario.node.chainId, scenario.contract, id);

const oneTicket = () => 1;

describe('a contract that is not the ticket contract', () => {
  it.each(hostileKinds)('and %s uses no nonce, and its order fails', async (kind) => {
    const shop = await scenario.openShop(hostileContracts[kind]);
    const before = (await findNextNonce(account())) ?? 0;
    const [order] = await scenario.buy(1, oneTicket, shop);
    const [failedOrder] = await scenario.awaitFulfilment(order ? [order] : []);
    expect(failedOrder).toMatchObject({
      paymentStatus: 'COMPLETED',
      fulfilmentStatus: 'failed',
      fulfilmentReason: 'contract-unknown',
      fulfilmentMessage: `${hostileContracts[kind]} on Development does not have the code of the ticket contract`,
    });
    expect((await findNextNonce(account())) ?? 0).toBe(before);
  });

  it('is not called, even if an admin of the contract has bound it', async () => {
    const { chainId } = scenario.node;
    const contract = hostileContracts['reports false mints'];
    const shop = await scenario.openShop(contract);
    const binding = { chainId, address: getAddress(contract), organizerId: shop.organizerId };
    await removeBinding(binding);
    const wallet = developmentWallet(9).address;
    await write(putBinding({ ...binding, wallet, isAdmin: true, updatedAt: new Date().toISOString() }));
    const calledAddresses: string[] = [];
    const removeFault = scenario.world.intercept(
      onMethod('eth_call', async ({ body }, forward) => {
        calledAddresses.push(body.params[0].to.toLowerCase());
        return forward();
      }),
    );
    const [failedOrder] = await scenario.awaitFulfilment(await scenario.buy(1, oneTicket, shop));
    removeFault();
    expect(failedOrder).toMatchObject({ fulfilmentStatus: 'failed' });
    expect(calledAddresses).not.toContain(contract.toLowerCase());
  });
});

describe('an order whose gas estimate is above the ceiling', () => {
  it.each([
    ['a number', rpcResult(`0x${(20_000_000).toString(16)}`)],
    ['an error', rpcError('gas required exceeds allowance (210000)')],
  ])('uses no nonce and fails when the node returns the estimate as %s', async (_form, answer) => {
    const before = await findNextNonce(account());
    const removeFault = scenario.world.intercept(onMethod('eth_estimateGas', async () => answer));
    const [order] = await scenario.awaitFulfilment(await scenario.buy(1));
    removeFault();
    expect(order).toMatchObject({ fulfilmentStatus: 'failed', fulfilmentReason: 'too-much-gas' });
    expect(await findNextNonce(account())).toBe(before);
  });
});

it('an order fails when the contract reports it as minted without any tokens', async () => {
  const order = await scenario.place(1, 1);
  // The mapping `_heads` has the storage slot 6. Its values contain the quantity and the wallet.
  const slot = AbiCoder.defaultAbiCoder().encode(['uint256', 'uint256'], [firstTokenId(keyOf(order)), 6]);
  const head = `0x${'1'.padStart(24, '0')}${developmentWallet(51).address.slice(2)}`;
  await scenario.node.call('anvil_setStorageAt', scenario.contract, keccak256(slot), head);
  await scenario.node.mine(4);
  await pay(order);
  const [failedOrder] = await scenario.awaitFulfilment([order]);
  expect(failedOrder).toMatchObject({ fulfilmentStatus: 'failed', fulfilmentReason: 'wrong-mint' });
  expect(failedOrder?.fulfilmentMessage).toContain('reports tickets for this order that do not exist');
});
