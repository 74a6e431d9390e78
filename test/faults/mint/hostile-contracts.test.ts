import { AbiCoder, Interface } from 'ethers/abi';
import { getAddress } from 'ethers/address';
import { keccak256 } from 'ethers/crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { putBinding, removeBinding } from '../../../shared/catalog/contracts/store.ts';
import { deriveOrderKey, encodeMint, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { decodeTransaction, findMinter } from '../../../shared/chain/transactions.ts';
import { transition } from '../../../shared/core/state-machine.ts';
import { transact, write } from '../../../shared/dynamo/write.ts';
import { advanceNonce, findNextNonce, insertMintTransaction } from '../../../shared/nft/nonce/store.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import { fulfilment, payment } from '../../../shared/orders/lifecycle.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { transitionOrder } from '../../../shared/orders/store.ts';
import { deployHostileContracts, type HostileKind, hostileKinds } from './hostile-contracts.ts';
import { onMethod, rpcError, rpcResult } from './rpc-faults.ts';
import { Scenario } from './scenario.ts';
import { openShop, pay, placeOrder, sell } from './shop.ts';

const admin = { userId: 'admin', role: 'ADMIN', sessionId: 's' } as never;
const roles = new Interface([
  'function grantRole(bytes32 role, address account)',
  'function MINTER_ROLE() view returns (bytes32)',
]);

let scenario: Scenario;
let hostileContracts: Record<HostileKind, string>;

beforeAll(async () => {
  scenario = await Scenario.start({ sweepMilliseconds: 500 });
  hostileContracts = await deployHostileContracts(scenario.world.node);
  scenario.world.startWorker('worker1', 2);
  scenario.world.startSweeper();
}, 60_000);
afterAll(() => scenario?.world.stop());

/** The first minting account, whose nonces are used in order. */
const account = () => ({
  chainId: scenario.world.node.chainId,
  signer: scenario.world.minters[0] ?? '',
});
const keyOf = ({ id }: Order) => deriveOrderKey(scenario.world.node.chainId, scenario.world.contract, id);

const oneTicket = () => 1;

/** Sends a transaction of the contract's admin, and mines it. */
async function sendAsAdmin(data: string): Promise<void> {
  const { node, contract: to } = scenario.world;
  const fees = { maxFeePerGas: '0x4a817c8000', maxPriorityFeePerGas: '0x174876e800' };
  const from = developmentWallet(0).address;
  const hash = await node.call<string>('eth_sendTransaction', { from, to, data, gas: '0x7a120', ...fees });
  await node.mine();
  expect(await node.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
}

describe('a contract that is not the ticket contract', () => {
  it.each(hostileKinds)('and %s uses no nonce, and its order fails', async (kind) => {
    const shop = await openShop({ chainId: scenario.world.node.chainId, contract: hostileContracts[kind] });
    const before = (await findNextNonce(account())) ?? 0;
    const [order] = await sell(shop, 1, oneTicket);
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
    const { chainId } = scenario.world.node;
    const contract = hostileContracts['reports false mints'];
    const shop = await openShop({ chainId, contract });
    const binding = { chainId, address: getAddress(contract), organizerId: 'organizer' };
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
    const [failedOrder] = await scenario.awaitFulfilment(await sell(shop, 1, oneTicket));
    removeFault();
    expect(failedOrder).toMatchObject({ fulfilmentStatus: 'failed' });
    expect(calledAddresses).not.toContain(contract.toLowerCase());
  });

  it('does not delay the orders of other organizers', async () => {
    const shops = await Promise.all(
      hostileKinds.map((kind) =>
        openShop({ chainId: scenario.world.node.chainId, contract: hostileContracts[kind] }),
      ),
    );
    const [hostileOrders, honestOrders] = await Promise.all([
      Promise.all(shops.map((shop) => sell(shop, 3, oneTicket))),
      scenario.buy(10),
    ]);
    const finalOrders = await scenario.awaitFulfilment([...hostileOrders.flat(), ...honestOrders]);
    const statuses = finalOrders.map(({ fulfilmentStatus }) => fulfilmentStatus);
    expect(statuses).toEqual([
      ...hostileOrders.flat().map(() => 'failed'),
      ...honestOrders.map(() => 'minted'),
    ]);
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

describe('an order that the service did not mint', () => {
  const otherWallet = developmentWallet(60).address;

  beforeAll(async () => {
    const { node, contract: to } = scenario.world;
    const data = roles.encodeFunctionData('MINTER_ROLE');
    const role = await node.call<string>('eth_call', { to, data }, 'latest');
    await sendAsAdmin(roles.encodeFunctionData('grantRole', [role, developmentWallet(0).address]));
  });

  it.each([
    ['to another wallet', { to: otherWallet, quantity: 2 }, /were minted to 0x\w+ instead of 0x/],
    ['in another quantity', { quantity: 3 }, /minted 3 tickets instead of 2/],
  ])('fails without tickets when another minter mints it %s', async (_difference, change, message) => {
    const order = await placeOrder(scenario.shop, 1, 2);
    const mintRequest = { orderKey: keyOf(order), to: developmentWallet(51).address, quantity: 2 };
    await sendAsAdmin(encodeMint([{ ...mintRequest, ...change }]));
    await scenario.world.node.mine(4);
    await pay(order);
    const [failedOrder] = await scenario.awaitFulfilment([order]);
    expect(failedOrder).toMatchObject({ fulfilmentStatus: 'failed', fulfilmentReason: 'wrong-mint' });
    expect(failedOrder?.fulfilmentMessage).toMatch(message);
    expect(failedOrder?.blockchainTxHash).toBeUndefined();
  });

  it('fails when another minter mints it to another wallet after its transaction was signed', async () => {
    await scenario.world.node.setBlocksPerSecond(0);
    const order = await placeOrder(scenario.shop, 1, 1);
    await pay(order);
    await scenario.awaitOrders([order], ({ fulfilmentStatus }) => fulfilmentStatus === 'minting');
    await sendAsAdmin(encodeMint([{ orderKey: keyOf(order), to: otherWallet, quantity: 1 }]));
    scenario.world.node.setBlocksPerSecond(4);
    const [failedOrder] = await scenario.awaitFulfilment([order]);
    expect(failedOrder).toMatchObject({ fulfilmentStatus: 'failed', fulfilmentReason: 'wrong-mint' });
  });

  it('fails when the contract reports it as minted without any tokens', async () => {
    const order = await placeOrder(scenario.shop, 1, 1);
    // The mapping `_heads` has the storage slot 6. Its values contain the quantity and the wallet.
    const slot = AbiCoder.defaultAbiCoder().encode(['uint256', 'uint256'], [firstTokenId(keyOf(order)), 6]);
    const head = `0x${'1'.padStart(24, '0')}${developmentWallet(51).address.slice(2)}`;
    await scenario.world.node.call('anvil_setStorageAt', scenario.world.contract, keccak256(slot), head);
    await scenario.world.node.mine(4);
    await pay(order);
    const [failedOrder] = await scenario.awaitFulfilment([order]);
    expect(failedOrder).toMatchObject({ fulfilmentStatus: 'failed', fulfilmentReason: 'wrong-mint' });
    expect(failedOrder?.fulfilmentMessage).toContain('reports tickets for this order that do not exist');
  });
});

describe('a stored transaction that every node refuses', () => {
  /** Binds an order to a transaction with an invalid gas limit, as earlier versions did for gas-burning contracts. */
  async function bindToInvalidTransaction(order: Order, gasLimit: bigint, feeGwei: bigint): Promise<void> {
    const minter = await findMinter(account().signer);
    const nonce = (await findNextNonce(account())) ?? 0;
    const data = encodeMint([{ orderKey: keyOf(order), to: developmentWallet(51).address, quantity: 1 }]);
    const fees = { maxFeePerGas: feeGwei * 10n ** 9n, maxPriorityFeePerGas: feeGwei * 10n ** 9n };
    const transaction = {
      chainId: account().chainId,
      nonce,
      to: scenario.world.contract,
      data,
      gasLimit,
      ...fees,
    };
    const raw = (await minter?.sign(transaction)) ?? '';
    const { hash } = decodeTransaction(raw);
    const at = new Date().toISOString();
    // No message is sent for this payment, so that no worker binds the order first.
    const paid = [
      transition(payment, 'settle', { paymentTxId: 'tx', queuedAt: at }),
      transition(fulfilment, 'queue'),
    ];
    await write(transitionOrder(order.id, paid, at, { nextDueAt: Date.now() + 10 ** 10 }));
    const bound = transition(fulfilment, 'bind', {
      mint: { ...account(), nonce },
      mintTransactionHash: hash,
      mintingAt: at,
    });
    await transact([
      advanceNonce({ ...account(), nonce }, nonce === 0),
      insertMintTransaction({
        ...account(),
        nonce,
        contract: scenario.world.contract,
        orderIds: [order.id],
        attempts: [{ raw, at: Date.now() }],
      }),
      transitionOrder(order.id, [bound], at, { nextDueAt: Date.now() }),
    ]);
  }

  it.each([
    ['above the maximum of a transaction', 26_000_000n, 20n],
    ['above the maximum of a transaction, at the highest fees', 26_000_000n, 300n],
    ['below the minimum of a transaction', 20_000n, 20n],
  ])(
    'with a gas limit %s is cancelled: its order fails and can be minted again, and later orders are minted',
    async (_description, gasLimit, feeGwei) => {
      const order = await placeOrder(scenario.shop, 1, 1);
      await bindToInvalidTransaction(order, gasLimit, feeGwei);
      const laterOrders = await scenario.buy(2);
      const [failedOrder, ...mintedOrders] = await scenario.awaitFulfilment([order, ...laterOrders]);
      expect(failedOrder).toMatchObject({
        fulfilmentStatus: 'failed',
        fulfilmentReason: 'transaction-invalid',
        fulfilmentMessage: 'No node accepts the transaction that mints the tickets',
      });
      expect(failedOrder?.mint).toBeUndefined();
      expect(mintedOrders.map(({ fulfilmentStatus }) => fulfilmentStatus)).toEqual(['minted', 'minted']);

      await requestFulfilment(admin, order.id);
      const [mintedOrder] = await scenario.awaitFulfilment([order]);
      expect(mintedOrder).toMatchObject({ fulfilmentStatus: 'minted' });
    },
  );
});
