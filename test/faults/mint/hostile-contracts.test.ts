import { AbiCoder, Interface } from 'ethers/abi';
import { getAddress } from 'ethers/address';
import { keccak256 } from 'ethers/crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { developmentWallet } from '../../../infra/local/parts/contract.ts';
import { deriveOrderKey, encodeMint, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { findMinter } from '../../../shared/chain/minters.ts';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import { putBinding, removeBinding } from '../../../shared/contracts/store.ts';
import { transition } from '../../../shared/core/state-machine.ts';
import { transact, write } from '../../../shared/dynamo/write.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import { fulfilment, payment } from '../../../shared/orders/lifecycle.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { transitionOrder } from '../../../shared/orders/store.ts';
import { advanceLane, findNextNonce, insertMintTransaction } from '../../../shared/tickets/nonce/store.ts';
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
let hostile: Record<HostileKind, string>;

beforeAll(async () => {
  scenario = await Scenario.start({ sweepMilliseconds: 500 });
  hostile = await deployHostileContracts(scenario.world.node);
  scenario.world.startWorker('worker1', 2);
  scenario.world.startSweeper();
}, 60_000);
afterAll(() => scenario?.world.stop());

const lane = () => ({
  chainId: scenario.world.node.chainId,
  signer: scenario.world.minters[0] ?? '',
});
const keyOf = ({ id }: Order) => deriveOrderKey(scenario.world.node.chainId, scenario.world.contract, id);

/** Sends a transaction of the contract's admin and mines it. */
async function asAdmin(data: string): Promise<void> {
  const { node, contract: to } = scenario.world;
  const fees = { maxFeePerGas: '0x4a817c8000', maxPriorityFeePerGas: '0x174876e800' };
  const from = developmentWallet(0).address;
  const hash = await node.call<string>('eth_sendTransaction', { from, to, data, gas: '0x7a120', ...fees });
  await node.mine();
  expect(await node.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
}

describe('a contract that is no release of ours', () => {
  it.each(hostileKinds)('that %s claims no nonce, and its order fails', async (kind) => {
    const shop = await openShop({ chainId: scenario.world.node.chainId, contract: hostile[kind] });
    const before = (await findNextNonce(lane())) ?? 0;
    const [order] = await sell(shop, 1, () => 1);
    const [failed] = await scenario.awaitFulfilment(order ? [order] : []);
    expect(failed).toMatchObject({
      paymentStatus: 'COMPLETED',
      fulfilmentStatus: 'failed',
      fulfilmentReason: 'contract-unknown',
      fulfilmentMessage: `${hostile[kind]} on Development is not a ticket contract of a known release`,
    });
    expect((await findNextNonce(lane())) ?? 0).toBe(before);
  });

  it('is not called, although a wallet proved to administer it', async () => {
    const { chainId } = scenario.world.node;
    const contract = hostile.lies;
    const shop = await openShop({ chainId, contract });
    const place = { chainId, address: getAddress(contract), organizerId: 'organizer' };
    await removeBinding(place);
    const wallet = developmentWallet(9).address;
    await write(putBinding({ ...place, wallet, isAdmin: true, updatedAt: new Date().toISOString() }));
    const called: string[] = [];
    const end = scenario.world.add(
      onMethod('eth_call', async ({ body }, forward) => {
        called.push(body.params[0].to.toLowerCase());
        return forward();
      }),
    );
    const [failed] = await scenario.awaitFulfilment(await sell(shop, 1, () => 1));
    end();
    expect(failed).toMatchObject({ fulfilmentStatus: 'failed' });
    expect(called).not.toContain(contract.toLowerCase());
  });

  it('does not delay the orders of other organizers', async () => {
    const shops = await Promise.all(
      hostileKinds.map((kind) => openShop({ chainId: scenario.world.node.chainId, contract: hostile[kind] })),
    );
    const [bad, good] = await Promise.all([
      Promise.all(shops.map((shop) => sell(shop, 3, () => 1))),
      scenario.buy(10),
    ]);
    const settled = await scenario.awaitFulfilment([...bad.flat(), ...good]);
    const statuses = settled.map(({ fulfilmentStatus }) => fulfilmentStatus);
    expect(statuses).toEqual([...bad.flat().map(() => 'failed'), ...good.map(() => 'minted')]);
  });
});

describe('an estimate of too much gas', () => {
  it.each([
    ['a number above the ceiling', rpcResult(`0x${(20_000_000).toString(16)}`)],
    ['an error of the node', rpcError('gas required exceeds allowance (210000)')],
  ])('as %s takes no nonce, and the order fails', async (_how, answer) => {
    const before = await findNextNonce(lane());
    const end = scenario.world.add(onMethod('eth_estimateGas', async () => answer));
    const [order] = await scenario.awaitFulfilment(await scenario.buy(1));
    end();
    expect(order).toMatchObject({ fulfilmentStatus: 'failed', fulfilmentReason: 'too-much-gas' });
    expect(await findNextNonce(lane())).toBe(before);
  });
});

describe('the minter role in other hands', () => {
  const other = developmentWallet(60).address;

  beforeAll(async () => {
    const { node, contract: to } = scenario.world;
    const data = roles.encodeFunctionData('MINTER_ROLE');
    const role = await node.call<string>('eth_call', { to, data }, 'latest');
    await asAdmin(roles.encodeFunctionData('grantRole', [role, developmentWallet(0).address]));
  });

  it.each([
    ['to another wallet', { to: other, quantity: 2 }, /were minted to 0x\w+ instead of 0x/],
    ['in another quantity', { quantity: 3 }, /minted 3 tickets instead of 2/],
  ])('mints an order %s: the order fails and no ticket is recorded', async (_how, change, message) => {
    const order = await placeOrder(scenario.shop, 1, 2);
    const ordered = { orderKey: keyOf(order), to: developmentWallet(51).address, quantity: 2 };
    await asAdmin(encodeMint([{ ...ordered, ...change }]));
    await scenario.world.node.mine(4);
    await pay(order);
    const [failed] = await scenario.awaitFulfilment([order]);
    expect(failed).toMatchObject({ fulfilmentStatus: 'failed', fulfilmentReason: 'wrong-mint' });
    expect(failed?.fulfilmentMessage).toMatch(message);
    expect(failed?.blockchainTxHash).toBeUndefined();
  });

  it('mints an order to another wallet after its transaction was signed: the order fails', async () => {
    scenario.world.node.setPace(0);
    const order = await placeOrder(scenario.shop, 1, 1);
    await pay(order);
    await scenario.awaitOrders([order], ({ fulfilmentStatus }) => fulfilmentStatus === 'minting');
    await asAdmin(encodeMint([{ orderKey: keyOf(order), to: other, quantity: 1 }]));
    scenario.world.node.setPace(4);
    const [failed] = await scenario.awaitFulfilment([order]);
    expect(failed).toMatchObject({ fulfilmentStatus: 'failed', fulfilmentReason: 'wrong-mint' });
  });

  it('fails an order that the contract reports as minted without any tokens', async () => {
    const order = await placeOrder(scenario.shop, 1, 1);
    // _heads, the seventh storage slot: the buyer, then the quantity.
    const place = AbiCoder.defaultAbiCoder().encode(['uint256', 'uint256'], [firstTokenId(keyOf(order)), 6]);
    const head = `0x${'1'.padStart(24, '0')}${developmentWallet(51).address.slice(2)}`;
    await scenario.world.node.call('anvil_setStorageAt', scenario.world.contract, keccak256(place), head);
    await scenario.world.node.mine(4);
    await pay(order);
    const [failed] = await scenario.awaitFulfilment([order]);
    expect(failed).toMatchObject({ fulfilmentStatus: 'failed', fulfilmentReason: 'wrong-mint' });
    expect(failed?.fulfilmentMessage).toContain('reports tickets for this order that do not exist');
  });
});

describe('a stored transaction that every node refuses', () => {
  /** Binds an order to a transaction of too much gas, as earlier versions did for contracts that burn it. */
  async function bindToInvalid(order: Order, gasLimit: bigint, gwei: bigint): Promise<void> {
    const minter = await findMinter(lane().signer);
    const nonce = (await findNextNonce(lane())) ?? 0;
    const data = encodeMint([{ orderKey: keyOf(order), to: developmentWallet(51).address, quantity: 1 }]);
    const fees = { maxFeePerGas: gwei * 10n ** 9n, maxPriorityFeePerGas: gwei * 10n ** 9n };
    const draft = { chainId: lane().chainId, nonce, to: scenario.world.contract, data, gasLimit, ...fees };
    const raw = (await minter?.sign(draft)) ?? '';
    const { hash } = decodeTransaction(raw);
    const at = new Date().toISOString();
    // Without a message, so that no worker binds the order first.
    const paid = [
      transition(payment, 'settle', { paymentTxId: 'tx', queuedAt: at }),
      transition(fulfilment, 'queue'),
    ];
    await write(transitionOrder(order.id, paid, at, { nextDueAt: Date.now() + 10 ** 10 }));
    const bound = transition(fulfilment, 'bind', {
      mint: { ...lane(), nonce },
      mintTransactionHash: hash,
      mintingAt: at,
    });
    await transact([
      advanceLane({ ...lane(), nonce }, nonce === 0),
      insertMintTransaction({
        ...lane(),
        nonce,
        contract: scenario.world.contract,
        orderIds: [order.id],
        attempts: [{ raw, at: Date.now() }],
      }),
      transitionOrder(order.id, [bound], at, { nextDueAt: Date.now() }),
    ]);
  }

  it.each([
    ['above the limit of a transaction', 26_000_000n, 20n],
    ['above that limit, at the highest fees', 26_000_000n, 300n],
    ['below the least of a transaction', 20_000n, 20n],
  ])(
    'for gas %s is cancelled: its order fails and can be minted again, and later ones are minted',
    async (_what, gas, gwei) => {
      const order = await placeOrder(scenario.shop, 1, 1);
      await bindToInvalid(order, gas, gwei);
      const later = await scenario.buy(2);
      const [failed, ...minted] = await scenario.awaitFulfilment([order, ...later]);
      expect(failed).toMatchObject({
        fulfilmentStatus: 'failed',
        fulfilmentReason: 'transaction-invalid',
        fulfilmentMessage: 'No node accepts the transaction that mints the tickets',
      });
      expect(failed?.mint).toBeUndefined();
      expect(minted.map(({ fulfilmentStatus }) => fulfilmentStatus)).toEqual(['minted', 'minted']);

      await requestFulfilment(admin, order.id);
      const [again] = await scenario.awaitFulfilment([order]);
      expect(again).toMatchObject({ fulfilmentStatus: 'minted' });
    },
  );
});
