import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Contract, type HDNodeWallet, JsonRpcProvider, Network, Wallet } from 'ethers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deployTicketContract } from '../../../infra/contracts/deploy-ticket-contract.ts';
import { developmentWallet } from '../../../infra/local/parts/contract.ts';
import { Ports } from '../../../infra/local/ports.ts';
import { deriveOrderKey, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { transact } from '../../../shared/dynamo/write.ts';
import { requestFulfilment } from '../../../shared/orders/fulfilment/request-fulfilment.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { signCode } from '../../../shared/tickets/check-in/check-in-code.ts';
import { checkIn } from '../../../shared/tickets/check-in/check-in-seat.ts';
import { failFulfilment } from '../../../shared/tickets/minting/conclude-mint.ts';
import { readMintRequests } from '../../../shared/tickets/minting/mint-requests.ts';
import { claimSeat } from '../../../shared/tickets/seats/claim-seat.ts';
import { acceptOffer, offerSeat } from '../../../shared/tickets/seats/seat-offers.ts';
import { getUser } from '../../../shared/users/store.ts';
import { removeWallet } from '../../../shared/wallets/store.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { type Fault, type FaultProxy, startProxy } from '../../support/fault-proxy.ts';
import { newPerson } from '../../support/shop.ts';
import { type Node, startNode } from '../mint/node.ts';
import {
  type FreeEvent,
  firstCode,
  link,
  mint,
  openFreeEvent,
  order,
  personWithWallet,
} from './free-event.ts';

/** Tokens that move while their seats are scanned and claimed, on a real EVM whose blocks the test mines. */

const minterKey = developmentWallet(1);
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
  const ports = new Ports(path.join(directory, 'ports.json'));
  node = await startNode(await ports.reserve('chain'), path.join(directory, 'anvil.log'));
  node.setPace(20);
  contract = await deployTicketContract({
    rpcUrl: node.url,
    deployerKey: developmentWallet(0).privateKey,
    name: 'Races',
    symbol: 'RCS',
    minters: [minterKey.address],
  });
  node.setPace(0);
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
});

/** Configures the nodes that the service asks; all serve the same chain. */
function useNodes(...names: string[]): void {
  process.env[`CHAIN_${node.chainId}_RPC_URLS`] = names.map((name) => proxy.url('service', name)).join(',');
}

/** Applies a fault until the next test. */
function add(fault: Fault): void {
  faults.push(proxy.add(fault));
}

/** Sends a call of the contract, and mines it in a block of its own. */
async function send(from: Wallet | HDNodeWallet, name: string, ...values: unknown[]): Promise<void> {
  await provider.send('anvil_setBalance', [from.address, '0xde0b6b3a7640000']);
  const signed = new Contract(contract, abi, from.connect(provider)).getFunction(name);
  const sent = await signed(...values, { gasLimit: 500_000 });
  await node.mine();
  expect((await provider.getTransactionReceipt(sent.hash))?.status).toBe(1);
}

interface Sold {
  bought: Order;
  seller: string;
  wallet: HDNodeWallet;
  tokenId: string;
  code: string;
  token: { chainId: number; contractAddress: string; tokenId: string };
}

/** A seat with a token, in a wallet that its buyer entered but did not prove to own. */
async function sold(): Promise<Sold> {
  const wallet = Wallet.createRandom();
  const seller = await personWithWallet(wallet.address);
  const bought = await order(event, seller);
  const key = deriveOrderKey(node.chainId, contract, bought.id);
  await send(minterKey, 'mintOrder', key, wallet.address, 1);
  await mint(event, bought, wallet.address, firstTokenId(key));
  const tokenId = String(firstTokenId(key));
  const token = { chainId: node.chainId, contractAddress: contract, tokenId };
  return { bought, seller, wallet, tokenId, token, code: await firstCode(bought) };
}

/** Somebody with a linked wallet. */
async function owner() {
  const wallet = Wallet.createRandom();
  const id = await newPerson();
  await link(id, wallet.address);
  return { id, wallet };
}

const scan = (code: string) => checkIn({ userId: event.organizerId }, { code });
const move = ({ wallet, tokenId }: Sold, to: string, from: Wallet | HDNodeWallet = wallet) =>
  send(from, 'transferFrom', from.address, to, tokenId);
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'succeeded',
    (error) => (error instanceof DomainError ? error.code : error),
  );
/** The check-in code of a seat that was transferred once. */
const nextCode = ({ bought }: Sold) => signCode({ orderId: bought.id, number: 1, epoch: 1 });

describe('a token that moves', () => {
  it('before the scan keeps the seller out; its owner claims once the transfer is final', async () => {
    const sale = await sold();
    const buyer = await owner();
    await move(sale, buyer.wallet.address);
    expect(await refusal(scan(sale.code))).toBe('token-moved');
    expect(await refusal(claimSeat(buyer.id, sale.token))).toBe('not-the-owner');
    await node.mine(2);
    await claimSeat(buyer.id, sale.token);
    expect(await refusal(scan(sale.code))).toBe('moved');
    expect(await scan(await nextCode(sale))).toMatchObject({ chainChecked: true });
  });

  it('and is claimed during the scan, after the chain answered: the scan is refused', async () => {
    const sale = await sold();
    const buyer = await owner();
    let isMoved = false;
    add(async ({ method, body }, forward) => {
      const answer = await forward();
      if (method !== 'eth_call' || isMoved || body.params[1] !== 'latest') return answer;
      isMoved = true;
      await move(sale, buyer.wallet.address);
      await node.mine(2);
      await claimSeat(buyer.id, sale.token);
      return answer;
    });
    expect(await refusal(scan(sale.code))).toBe('moved');
    expect(await scan(await nextCode(sale))).toMatchObject({ chainChecked: true });
  });

  it('during the scan does not undo the admission when the token is claimed later', async () => {
    const sale = await sold();
    const buyer = await owner();
    let isMoved = false;
    add(async ({ method, body }, forward) => {
      const answer = await forward();
      if (method === 'eth_call' && !isMoved && body.params[1] === 'latest') {
        isMoved = true;
        await move(sale, buyer.wallet.address);
      }
      return answer;
    });
    expect(await scan(sale.code)).toMatchObject({ chainChecked: true });
    await node.mine(2);
    expect(await refusal(claimSeat(buyer.id, sale.token))).toBe('admitted');
  });

  it('after the scan does not admit the seat again', async () => {
    const sale = await sold();
    const buyer = await owner();
    await scan(sale.code);
    await move(sale, buyer.wallet.address);
    await node.mine(2);
    expect(await refusal(claimSeat(buyer.id, sale.token))).toBe('admitted');
    expect(await refusal(scan(sale.code))).toBe('already-checked-in');
  });

  it('while its claim asks the chain, to a third who claims first: the earlier claim decides again', async () => {
    const sale = await sold();
    const [first, second] = [await owner(), await owner()];
    await move(sale, first.wallet.address);
    await node.mine(2);
    let isMoved = false;
    add(async ({ method, body }, forward) => {
      const answer = await forward();
      if (method !== 'eth_call' || isMoved || body.params[1] === 'latest') return answer;
      isMoved = true;
      await move(sale, second.wallet.address, first.wallet);
      await node.mine(2);
      await claimSeat(second.id, sale.token);
      return answer;
    });
    expect(await refusal(claimSeat(first.id, sale.token))).toBe('not-the-owner');
    expect((await scan(await nextCode(sale))).attendeeName).toBe((await getUser(second.id)).name);
  });
});

describe('a reorganisation', () => {
  it('that drops the transfer lets the buyer in again', async () => {
    const sale = await sold();
    await node.mine(3);
    await move(sale, Wallet.createRandom().address);
    expect(await refusal(scan(sale.code))).toBe('token-moved');
    await node.reorganise(1);
    expect(await scan(sale.code)).toMatchObject({ chainChecked: true });
  });

  it('that drops even a final transfer returns the seat to the owner of the token, who claims it', async () => {
    const sale = await sold();
    await node.mine(3);
    const buyer = await owner();
    await move(sale, buyer.wallet.address);
    await node.mine(2);
    await claimSeat(buyer.id, sale.token);
    await node.reorganise(3);
    expect(await refusal(scan(await nextCode(sale)))).toBe('token-moved');
    await link(sale.seller, sale.wallet.address);
    const { seat } = await claimSeat(sale.seller, sale.token);
    expect(await scan(await signCode(seat))).toMatchObject({ chainChecked: true });
  });
});

describe('at the door, while nodes fail', () => {
  const isScan = (params: unknown[]) => params[1] === 'latest';
  const silent: Fault = () => new Promise(() => {});
  const dead: Fault = async () => 'drop';
  const only =
    (name: string, fault: Fault): Fault =>
    (call, forward) =>
      call.target === name ? fault(call, forward) : forward();

  it.each([
    ['refuse connections', dead],
    ['never answer', silent],
    [
      'answer with errors',
      async () => ({ status: 200, body: { error: { code: -32000, message: 'overloaded' } } }),
    ],
    ['answer with nonsense', async () => ({ status: 502, body: { message: 'Bad gateway' } })],
  ] as [string, Fault][])('the register decides when all %s, and says so', async (_, fault) => {
    useNodes('a', 'b');
    const sale = await sold();
    await move(sale, Wallet.createRandom().address);
    add(fault);
    expect(await scan(sale.code)).toMatchObject({ chainChecked: false });
    expect(await refusal(scan(sale.code))).toBe('already-checked-in');
  });

  it('one node that answers is enough, whichever way', async () => {
    useNodes('a', 'b');
    const [kept, moved] = [await sold(), await sold()];
    await move(moved, Wallet.createRandom().address);
    add(only('a', silent));
    expect(await scan(kept.code)).toMatchObject({ chainChecked: true });
    expect(await refusal(scan(moved.code))).toBe('token-moved');
  });

  it('one faulty node does not prevent admission', async () => {
    useNodes('a', 'b');
    const sale = await sold();
    const other = `0x${Wallet.createRandom().address.slice(2).toLowerCase().padStart(64, '0')}`;
    add(
      only('a', async ({ body }, forward) =>
        isScan(body.params) ? { status: 200, body: { jsonrpc: '2.0', id: 1, result: other } } : forward(),
      ),
    );
    expect(await scan(sale.code)).toMatchObject({ chainChecked: true });
  });

  it('nothing is claimed', async () => {
    useNodes('a', 'b');
    const sale = await sold();
    const buyer = await owner();
    await move(sale, buyer.wallet.address);
    await node.mine(2);
    add(only('a', dead));
    expect(await refusal(claimSeat(buyer.id, sale.token))).toBe('unavailable');
    expect(await refusal(scan(sale.code))).toBe('token-moved');
  });
});

describe('a wallet', () => {
  it('that is a contract, proved on another chain, claims nothing here', async () => {
    const sale = await sold();
    const [elsewhere, here] = [await newPerson(), await newPerson()];
    const address = Wallet.createRandom().address;
    await link(elsewhere, address, 1);
    await move(sale, address);
    await node.mine(2);
    expect(await refusal(claimSeat(elsewhere, sale.token))).toBe('not-the-owner');
    const second = await sold();
    const own = Wallet.createRandom().address;
    await link(here, own, node.chainId);
    await move(second, own);
    await node.mine(2);
    expect((await claimSeat(here, second.token)).seat.epoch).toBe(1);
  });

  it('that is linked to another account meanwhile gives the seat to that account', async () => {
    const sale = await sold();
    const [first, second] = [await owner(), await newPerson()];
    await move(sale, first.wallet.address);
    await node.mine(2);
    await claimSeat(first.id, sale.token);
    await transact([removeWallet(first.wallet.address, first.id)]);
    await link(second, first.wallet.address);
    expect(await refusal(claimSeat(first.id, sale.token))).toBe('not-the-owner');
    const { seat } = await claimSeat(second, sale.token);
    expect(seat).toMatchObject({ holderUserId: second, epoch: 2 });
    expect(await refusal(scan(await nextCode(sale)))).toBe('moved');
    expect(await scan(await signCode(seat))).toMatchObject({ chainChecked: true });
  });
});

describe('an order that waits to be minted', () => {
  it('hands no seat over until that has ended, and is not minted once it has', async () => {
    const seller = await personWithWallet(Wallet.createRandom().address);
    const receiver = await newPerson();
    const { email } = await getUser(receiver);
    const bought = await order(event, seller);
    expect(bought.fulfilmentStatus).toBe('queued');
    const from = { userId: seller, email: '' };
    const seat = { orderId: bought.id, number: 1 };
    expect(await refusal(offerSeat(from, seat, email))).toBe('minting');

    await failFulfilment(bought, { code: 'contract-refused', message: 'No' });
    const offered = await offerSeat(from, seat, email);
    const { token } = offered.seat.offer;
    // The order is queued again while the offer is open.
    const admin = { userId: 'admin', role: 'ADMIN' } as const;
    await requestFulfilment(admin, bought.id);
    expect(await refusal(acceptOffer(receiver, token))).toBe('minting');

    await failFulfilment(await getOrder(bought.id), { code: 'contract-refused', message: 'No' });
    await acceptOffer(receiver, token);
    expect(await refusal(requestFulfilment(admin, bought.id))).toBe('nothing-to-fulfil');
    const [found] = await readMintRequests([await getOrder(bought.id)]);
    expect(found?.request).toBeUndefined();
  });
});
