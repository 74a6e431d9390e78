import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Contract, type HDNodeWallet, JsonRpcProvider, Network, Wallet } from 'ethers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deployTicketContract } from '../../../infra/contracts/deploy-ticket-contract.ts';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { freePort } from '../../../infra/local/services/process.ts';
import { getUser } from '../../../shared/accounts/users/store.ts';
import { removeWallet } from '../../../shared/accounts/wallets/store.ts';
import { deriveOrderKey, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { transact, update, write } from '../../../shared/dynamo/write.ts';
import { failFulfilment } from '../../../shared/nft/minting/finalize-mint.ts';
import { readMintRequests } from '../../../shared/nft/minting/mint-requests.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { signCode } from '../../../shared/tickets/check-in/admissions.ts';
import { checkIn } from '../../../shared/tickets/check-in/check-in-seat.ts';
import { acceptOffer, offerSeat } from '../../../shared/tickets/seats/change-seat.ts';
import { claimSeat } from '../../../shared/tickets/seats/claim-seat.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { type Fault, type FaultProxy, startProxy } from '../../support/fault-proxy.ts';
import { insertPerson } from '../../support/shop.ts';
import { type Node, startNode } from '../mint/node.ts';
import {
  buyTickets,
  type FreeEvent,
  linkWallet,
  newPersonWithWallet,
  openFreeEvent,
  signFirstCode,
  storeTickets,
} from './free-event.ts';

/** Transfers tokens while their seats are scanned and claimed, on a real EVM whose blocks the test mines. */

const minter = developmentWallet(1);
const abi = [
  'function mintOrder(bytes32 orderKey, address to, uint256 quantity)',
  'function transferFrom(address from, address to, uint256 tokenId)',
];

let directory: string;
let backend: Backend;
let node: Node;
let proxy: FaultProxy;
let provider: JsonRpcProvider;
let event: FreeEvent;
let contract: string;
const faults: (() => void)[] = [];

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-token-races-'));
  backend = await startBackend();
  node = await startNode(await freePort(), path.join(directory, 'anvil.log'));
  node.setBlocksPerSecond(20);
  contract = await deployTicketContract({
    rpcUrl: node.url,
    deployerKey: developmentWallet(0).privateKey,
    name: 'Races',
    symbol: 'RCS',
    minters: [minter.address],
  });
  node.setBlocksPerSecond(0);
  proxy = await startProxy({ a: node.url, b: node.url });
  Object.assign(process.env, {
    CHECK_IN_SECRET: 'only-for-tests-check-in-0123456789abcdef',
    STAGE: 'races',
  });
  useNodes('a');
  const network = new Network('races', node.chainId);
  provider = new JsonRpcProvider(node.url, network, { staticNetwork: network, cacheTimeout: -1 });
  event = await openFreeEvent({ chainId: node.chainId, contract });
}, 90_000);
afterAll(async () => {
  provider?.destroy();
  await proxy?.stop();
  await node?.stop();
  await backend?.stop();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  for (const remove of faults.splice(0)) remove();
  useNodes('a');
  extendNodeTimeouts();
});

/**
 * Extends the timeouts of calls to nodes until mocks are restored, as in tests that wait for a timeout. A scan waits
 * 1.5 s for a node, and some tests transfer and claim a seat during a call, which takes longer on a busy machine.
 */
function extendNodeTimeouts(): void {
  vi.restoreAllMocks();
  const createTimeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => createTimeout(20 * milliseconds));
}

/** Configures the nodes that the service queries. All serve the same chain. */
function useNodes(...names: string[]): void {
  process.env[`CHAIN_${node.chainId}_RPC_URLS`] = names.map((name) => proxy.url('service', name)).join(',');
}

/** Applies a fault until the next test. */
function injectFault(fault: Fault): void {
  faults.push(proxy.intercept(fault));
}

/** Sends a transaction to the contract, and mines it in a block of its own. */
async function sendTransaction(
  from: Wallet | HDNodeWallet,
  name: string,
  ...values: unknown[]
): Promise<void> {
  await provider.send('anvil_setBalance', [from.address, '0xde0b6b3a7640000']);
  const contractFunction = new Contract(contract, abi, from.connect(provider)).getFunction(name);
  const transaction = await contractFunction(...values, { gasLimit: 500_000 });
  await node.mine();
  expect((await provider.getTransactionReceipt(transaction.hash))?.status).toBe(1);
}

interface SoldSeat {
  order: Order;
  /** The buyer of the seat, who may sell its token. */
  sellerId: string;
  wallet: HDNodeWallet;
  tokenId: string;
  code: string;
  token: { chainId: number; contractAddress: string; tokenId: string };
}

/** Sells a seat and mints its token to a wallet that the buyer entered but did not link. */
async function sellSeat(): Promise<SoldSeat> {
  const wallet = Wallet.createRandom();
  const sellerId = await newPersonWithWallet(wallet.address);
  const order = await buyTickets(event, sellerId);
  const key = deriveOrderKey(node.chainId, contract, order.id);
  await sendTransaction(minter, 'mintOrder', key, wallet.address, 1);
  await storeTickets(event, order, wallet.address, firstTokenId(key));
  const tokenId = String(firstTokenId(key));
  const token = { chainId: node.chainId, contractAddress: contract, tokenId };
  return { order, sellerId, wallet, tokenId, token, code: await signFirstCode(order) };
}

/** Creates a person with a linked wallet. */
async function newWalletOwner() {
  const wallet = Wallet.createRandom();
  const id = await insertPerson();
  await linkWallet(id, wallet.address);
  return { id, wallet };
}

/** Whether an eth_call belongs to a scan: scans read the latest block, claims a final one. */
const isScanRequest = (params: unknown[]) => params[1] === 'latest';
const scan = (code: string) => checkIn({ userId: event.organizerId }, { code });
const transferToken = ({ wallet, tokenId }: SoldSeat, to: string, from: Wallet | HDNodeWallet = wallet) =>
  sendTransaction(from, 'transferFrom', from.address, to, tokenId);
/** Returns 'succeeded' or the error code. */
const resultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'succeeded',
    (error) => (error instanceof DomainError ? error.code : error),
  );
/** Signs the check-in code of a seat that was transferred once. */
const signNextCode = ({ order }: SoldSeat) => signCode({ orderId: order.id, number: 1, transfers: 1 });

describe('a transfer of the token', () => {
  it('with a claim during the scan, after the chain was read, makes the scan fail', async () => {
    const sale = await sellSeat();
    const buyer = await newWalletOwner();
    let isTransferred = false;
    injectFault(async ({ method, body }, forward) => {
      const answer = await forward();
      if (method !== 'eth_call' || isTransferred || !isScanRequest(body.params)) return answer;
      isTransferred = true;
      await transferToken(sale, buyer.wallet.address);
      await node.mine(2);
      await claimSeat(buyer.id, sale.token);
      return answer;
    });
    expect(await resultOf(scan(sale.code))).toBe('moved');
    expect(await scan(await signNextCode(sale))).toMatchObject({ chainChecked: true });
  });

  it('during the scan does not undo the admission, and a later claim is refused', async () => {
    const sale = await sellSeat();
    const buyer = await newWalletOwner();
    let isTransferred = false;
    injectFault(async ({ method, body }, forward) => {
      const answer = await forward();
      if (method === 'eth_call' && !isTransferred && isScanRequest(body.params)) {
        isTransferred = true;
        await transferToken(sale, buyer.wallet.address);
      }
      return answer;
    });
    expect(await scan(sale.code)).toMatchObject({ chainChecked: true });
    await node.mine(2);
    expect(await resultOf(claimSeat(buyer.id, sale.token))).toBe('admitted');
  });
});

describe('a reorganisation', () => {
  it('that drops a final transfer lets the seller claim the seat back', async () => {
    const sale = await sellSeat();
    await node.mine(3);
    const buyer = await newWalletOwner();
    await transferToken(sale, buyer.wallet.address);
    await node.mine(2);
    await claimSeat(buyer.id, sale.token);
    await node.reorganise(3);
    expect(await resultOf(scan(await signNextCode(sale)))).toBe('token-moved');
    await linkWallet(sale.sellerId, sale.wallet.address);
    const { seat } = await claimSeat(sale.sellerId, sale.token);
    expect(await scan(await signCode(seat))).toMatchObject({ chainChecked: true });
  });
});

describe('while nodes fail', () => {
  const neverAnswer: Fault = () => new Promise(() => {});
  const dropConnection: Fault = async () => 'drop';
  const onNode =
    (name: string, fault: Fault): Fault =>
    (call, forward) =>
      call.target === name ? fault(call, forward) : forward();

  it.each([
    ['drop connections', dropConnection],
    ['never answer', neverAnswer],
    [
      'answer with errors',
      async () => ({ status: 200, body: { error: { code: -32000, message: 'overloaded' } } }),
    ],
    ['answer with status 502', async () => ({ status: 502, body: { message: 'Bad gateway' } })],
  ] as [string, Fault][])(
    'a scan admits by the stored seat, with chainChecked false, when all %s',
    async (_, fault) => {
      useNodes('a', 'b');
      const sale = await sellSeat();
      await transferToken(sale, Wallet.createRandom().address);
      injectFault(fault);
      vi.restoreAllMocks();
      expect(await scan(sale.code)).toMatchObject({ chainChecked: false });
      expect(await resultOf(scan(sale.code))).toBe('already-checked-in');
    },
  );

  it('one faulty node does not prevent admission', async () => {
    useNodes('a', 'b');
    const sale = await sellSeat();
    const otherOwner = `0x${Wallet.createRandom().address.slice(2).toLowerCase().padStart(64, '0')}`;
    injectFault(
      onNode('a', async ({ body }, forward) =>
        isScanRequest(body.params)
          ? { status: 200, body: { jsonrpc: '2.0', id: 1, result: otherOwner } }
          : forward(),
      ),
    );
    expect(await scan(sale.code)).toMatchObject({ chainChecked: true });
  });
});

describe('a wallet', () => {
  it('that is a contract on another chain can’t claim a seat', async () => {
    const sale = await sellSeat();
    const [otherChainOwner, chainOwner] = [await insertPerson(), await insertPerson()];
    const address = Wallet.createRandom().address;
    const otherChainId = 1;
    await linkWallet(otherChainOwner, address, otherChainId);
    await transferToken(sale, address);
    await node.mine(2);
    expect(await resultOf(claimSeat(otherChainOwner, sale.token))).toBe('not-the-owner');
    const second = await sellSeat();
    const secondAddress = Wallet.createRandom().address;
    await linkWallet(chainOwner, secondAddress, node.chainId);
    await transferToken(second, secondAddress);
    await node.mine(2);
    expect((await claimSeat(chainOwner, second.token)).seat.transfers).toBe(1);
  });

  it('that is later linked to another account lets that account claim the seat', async () => {
    const sale = await sellSeat();
    const [first, second] = [await newWalletOwner(), await insertPerson()];
    await transferToken(sale, first.wallet.address);
    await node.mine(2);
    await claimSeat(first.id, sale.token);
    await transact([removeWallet(first.wallet.address, first.id)]);
    await linkWallet(second, first.wallet.address);
    expect(await resultOf(claimSeat(first.id, sale.token))).toBe('not-the-owner');
    const { seat } = await claimSeat(second, sale.token);
    expect(seat).toMatchObject({ holderUserId: second, transfers: 2 });
    expect(await resultOf(scan(await signNextCode(sale)))).toBe('moved');
    expect(await scan(await signCode(seat))).toMatchObject({ chainChecked: true });
  });
});

describe('an order that waits to be minted', () => {
  it('refuses transfers of its seats until minting has ended, and is not minted after a transfer', async () => {
    const seller = await newPersonWithWallet(Wallet.createRandom().address);
    const receiver = await insertPerson();
    const { email } = await getUser(receiver);
    const order = await buyTickets(event, seller);
    expect(order.fulfilmentStatus).toBe('queued');
    const from = { userId: seller, email: '' };
    const seat = { orderId: order.id, number: 1 };
    expect(await resultOf(offerSeat(from, seat, email))).toBe('minting');

    await failFulfilment(order, { code: 'contract-refused', message: 'No' });
    const offer = await offerSeat(from, seat, email);
    const { token } = offer.seat.offer;
    // The order is queued again while the offer is open.
    const admin = { userId: 'admin', role: 'ADMIN' } as const;
    await requestFulfilment(admin, order.id);
    expect(await resultOf(acceptOffer(receiver, token))).toBe('minting');

    await failFulfilment(await getOrder(order.id), { code: 'contract-refused', message: 'No' });
    await acceptOffer(receiver, token);
    expect(await resultOf(requestFulfilment(admin, order.id))).toBe('nothing-to-fulfil');
    const [mintRequest] = await readMintRequests([await getOrder(order.id)]);
    expect(mintRequest?.request).toBeUndefined();
  });

  it('is minted again after a transfer when it is a reissue, which has no seats that were transferred', async () => {
    const seller = await newPersonWithWallet(Wallet.createRandom().address);
    const order = await buyTickets(event, seller, 2);
    const { address: wallet } = Wallet.createRandom();
    const issue = { number: 2, wallet, signer: wallet, seats: [1], at: order.createdAt };
    await write(update(keys.order(order.id), { set: { issue, transferred: 1 } }));
    await failFulfilment(await getOrder(order.id), { code: 'contract-refused', message: 'No' });
    expect(await requestFulfilment({ userId: 'admin', role: 'ADMIN' }, order.id)).toMatchObject({
      fulfilmentStatus: 'queued',
    });
    const [mintRequest] = await readMintRequests([await getOrder(order.id)]);
    expect(mintRequest?.request).toMatchObject({ to: wallet, quantity: 1 });
  });
});
