import { keccak256 } from 'ethers/crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { deriveOrderKey, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { update, write } from '../../../shared/dynamo/write.ts';
import { findBurn } from '../../../shared/nft/burning/store.ts';
import { findMintTransactions } from '../../../shared/nft/nonce/store.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { sendMessage } from '../../../shared/runtime/queue.ts';
import { eventually } from '../../support/eventually.ts';
import { readTransfers } from './audit.ts';
import { pay, Scenario } from './scenario.ts';

/**
 * Sells a listed seat on, whose token is burned from the seller and then minted to the buyer, while a reorganisation drops the
 * block of the burn. The listing and its offer are written as test/integration/resales.test.ts makes them over HTTP.
 */

const blocksPerSecond = 4;
let scenario: Scenario;

beforeAll(async () => {
  // Each order has another account, unless it has to follow a burn.
  scenario = await Scenario.start({ minterCount: 4 });
  scenario.startWorker('worker1', 2);
  scenario.world.startSweeper(500);
});
afterEach(() => scenario.node.setBlocksPerSecond(blocksPerSecond));
afterAll(() => scenario?.stop());

interface Resale {
  seller: Order;
  buyer: Order;
}

/** Pays for a listed seat of a minted order, while no block is mined. */
async function resell(index: number): Promise<Resale> {
  const bought = await scenario.place(index, 2);
  // A token could be sold elsewhere while its seat is listed.
  await write(update(keys.event(bought.eventId), { set: { entry: 'account' } }));
  await pay(bought);
  const [seller] = (await scenario.awaitFulfilment([bought])) as [Order];
  const placed = await scenario.place(index + 1, 1);
  const offer = { id: `offer-${seller.id}`, userId: placed.userId };
  const takenOffer = { id: offer.id, tierId: placed.items[0]?.tierId };
  await scenario.node.setBlocksPerSecond(0);
  await write(
    update(keys.order(seller.id), { set: { listings: [{ number: 2, returnId: 'return', offer }] } }),
  );
  await write(
    update(keys.order(placed.id), { set: { backedBy: { orderIds: [seller.id], quantity: 1 }, takenOffer } }),
  );
  const [buyer] = (await scenario.readOrders([placed])) as [Order];
  await pay(buyer);
  const [paid] = (await scenario.readOrders([buyer])) as [Order];
  expect(paid).toMatchObject({ paymentStatus: 'COMPLETED', mintAfter: [expect.any(String)] });
  return { seller, buyer: paid };
}

/** Returns the hash of the burn's transaction once a node has it. */
const awaitBurn = ({ buyer }: Resale): Promise<string> =>
  eventually('the burn is sent', async () => {
    const stored = await findBurn(buyer.mintAfter?.[0] ?? '');
    if (!stored?.transaction) return undefined;
    const { chainId, transaction } = stored;
    const [sent] = await findMintTransactions([{ chainId, ...transaction }]);
    const hash = keccak256(sent?.attempts.at(-1)?.raw ?? '0x');
    return (await scenario.node.call('eth_getTransactionByHash', hash)) ? hash : undefined;
  });

const readStatus = async ({ buyer }: Resale) => (await scenario.readOrders([buyer]))[0]?.fulfilmentStatus;

/** Drops the block of a transaction and all after it. */
async function dropBlockOf(hash: string): Promise<void> {
  const { node } = scenario;
  await node.setBlocksPerSecond(0);
  const receipt = await node.call<{ blockNumber: string }>('eth_getTransactionReceipt', hash);
  const latest = Number(await node.call<string>('eth_blockNumber'));
  await node.reorganise(latest - Number(receipt.blockNumber) + 1);
  expect(await node.call('eth_getTransactionReceipt', hash)).toBeNull();
}

/** Returns what happened to the tokens of the seat, in the order of the chain. */
async function readHistory({ seller, buyer }: Resale): Promise<string[]> {
  const { node, contract } = scenario;
  const idOf = ({ id }: Order, index: bigint) =>
    String(firstTokenId(deriveOrderKey(node.chainId, contract, id)) + index);
  const names = new Map([
    [idOf(seller, 1n), 'seller'],
    [idOf(buyer, 0n), 'buyer'],
  ]);
  const transfers = await readTransfers(scenario);
  return transfers.flatMap(({ tokenId, kind }) => {
    const name = names.get(tokenId);
    return name ? [`${kind} ${name}`] : [];
  });
}

const resold = ['mint seller', 'burn seller', 'mint buyer'];

it('mints the buyer’s token after the burn, which a reorganisation dropped before it was final', async () => {
  const resale = await resell(0);
  const burn = await awaitBurn(resale);
  await scenario.node.mine();
  expect(await readHistory(resale)).toEqual(resold.slice(0, 2));
  await dropBlockOf(burn);
  expect(await readHistory(resale)).toEqual(resold.slice(0, 1));
  expect(await readStatus(resale)).toBe('queued');
  await scenario.node.setBlocksPerSecond(blocksPerSecond);
  expect(await scenario.awaitFulfilment([resale.buyer])).toMatchObject([{ fulfilmentStatus: 'minted' }]);
  expect(await readHistory(resale)).toEqual(resold);
});

it('does not mint the buyer’s token without the burn, which a reorganisation dropped after the mint was sent', async () => {
  const resale = await resell(2);
  const burn = await awaitBurn(resale);
  await eventually('the mint is sent', async () => {
    if ((await readStatus(resale)) === 'minting') return true;
    await scenario.node.mine();
    return false;
  });
  // The mint may be in the pool, with the nonce after the burn's.
  await dropBlockOf(burn);
  await scenario.node.setBlocksPerSecond(blocksPerSecond);
  expect(await scenario.awaitFulfilment([resale.buyer])).toMatchObject([{ fulfilmentStatus: 'minted' }]);
  expect(await readHistory(resale)).toEqual(resold);
});

it('burns and mints again in that order when a reorganisation drops both', async () => {
  const resale = await resell(4);
  const burn = await awaitBurn(resale);
  await scenario.node.setBlocksPerSecond(blocksPerSecond);
  const [minted] = (await scenario.awaitFulfilment([resale.buyer])) as [Order];
  expect(await readHistory(resale)).toEqual(resold);
  await dropBlockOf(burn);
  expect(await readHistory(resale)).toEqual(resold.slice(0, 1));
  // The check of the mint alone, which otherwise follows 15 minutes after a final mint.
  const { chainId, signer, nonce } = await scenario.getTransaction(minted);
  await scenario.node.setBlocksPerSecond(blocksPerSecond);
  await sendMessage('mint-tickets', { type: 'check-nonce', chainId, signer, nonce });
  await eventually('the buyer has the token', async () => (await readHistory(resale)).includes('mint buyer'));
  expect(await readHistory(resale)).toEqual(resold);
});
