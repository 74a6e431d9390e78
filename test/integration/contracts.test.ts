import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Contract } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  challenge,
  countMinted,
  deployContractWallet,
  deployFirstRelease,
  deployOwnContract,
  fundedWallet,
  renounceAdmin,
} from '../support/contracts.ts';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { type Person, registerAdmin, registerUser } from '../support/people.ts';
import { readOrder } from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';
import { tableEnvironment } from '../support/table.ts';
import { mintedOrder } from '../support/tickets.ts';

let organizer: Person;
let other: Person;
let wallet: Awaited<ReturnType<typeof fundedWallet>>;
let address: string;

beforeAll(async () => {
  [organizer, other, wallet] = await Promise.all([
    registerUser({ role: 'ORGANIZER' }),
    registerUser({ role: 'ORGANIZER' }),
    fundedWallet(),
  ]);
  address = await deployOwnContract(wallet);
});

const verify = (caller: Person, message: string, signature: string, contract = address) =>
  call('POST', '/api/contracts/verify', {
    token: caller.token,
    body: { chainId: sharedStack().chainId, address: contract, message, signature },
  });

const bindContracts = path.resolve(import.meta.dirname, '../../infra/operator/bind-contracts.ts');

const saleOn = async (contract: string, organizerOfSale: Person) => {
  const body = {
    title: 'Free night',
    venue: 'Club',
    startDate: '2035-01-01',
    contractAddress: contract,
    chainId: sharedStack().chainId,
    tiers: [{ name: 'Standing', price: 0, quantity: 10, maxPerPerson: 5 }],
  };
  const answer = await call('POST', '/api/events', { token: organizerOfSale.token, body });
  return answer.body.event;
};
const buyFree = async (event: { id: string; tiers: { id: string }[] }, quantity: number) => {
  const buyer = await registerUser({ walletAddress: wallet.address });
  const body = { eventId: event.id, tierId: event.tiers[0]?.id, quantity, paymentMethod: 'FIAT' };
  const { orderId } = (await call('POST', '/api/orders/initialize', { token: buyer.token, body })).body;
  return { buyer, orderId };
};
const failedOrder = ({ buyer, orderId }: Awaited<ReturnType<typeof buyFree>>) =>
  eventually('minting fails', async () => {
    const order = await readOrder(buyer, orderId);
    return order.fulfilment.status === 'failed' && order;
  });
const statusOf = async ({ id }: { id: string }) =>
  (await call('GET', `/api/events/${id}`)).body.event.contractStatus;

describe('proving to administer a contract', () => {
  it('binds the contract to the organizer whose wallet is its admin', async () => {
    const message = await challenge(organizer, wallet.address);
    const answer = await verify(organizer, message, await wallet.signMessage(message));
    expect(answer.status).toBe(200);
    expect(answer.body.contract).toMatchObject({
      chainId: sharedStack().chainId,
      address,
      organizerId: organizer.user.id,
      wallet: wallet.address,
    });
  });

  it('accepts a signed message once', async () => {
    const message = await challenge(organizer, wallet.address);
    const signature = await wallet.signMessage(message);
    const answers = [
      await verify(organizer, message, signature),
      await verify(organizer, message, signature),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(answers[1]?.headers.get('x-error-code')).toBe('invalid-signature');
  });

  it('refuses the signature of another wallet, and a message made for another account', async () => {
    const stranger = await fundedWallet();
    const message = await challenge(organizer, wallet.address);
    const forged = await verify(organizer, message, await stranger.signMessage(message));
    const borrowed = await verify(other, message, await wallet.signMessage(message));
    expect([forged.status, borrowed.status]).toEqual([401, 401]);
  });

  it('refuses a message signed for linking a wallet', async () => {
    const message = await challenge(organizer, wallet.address, 'link');
    expect((await verify(organizer, message, await wallet.signMessage(message))).status).toBe(401);
  });

  it('refuses a wallet that is no admin of the contract', async () => {
    const stranger = await fundedWallet();
    const message = await challenge(other, stranger.address);
    const answer = await verify(other, message, await stranger.signMessage(message));
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-error-code')).toBe('not-contract-admin');
  });

  it('accepts the signature of a contract wallet that is the admin (ERC-1271)', async () => {
    const multisig = await deployContractWallet(wallet);
    const contract = await deployOwnContract(wallet, multisig);
    const message = await challenge(organizer, multisig);
    const answer = await verify(organizer, message, await wallet.signMessage(message), contract);
    expect(answer.status).toBe(200);
    expect(answer.body.contract.wallet).toBe(multisig);
  });
});

describe('the tickets of an event', () => {
  it('are not minted on a contract of another organizer', async () => {
    const stolen = await saleOn(address, other);
    expect(stolen.contractStatus).toBe('unauthorized');
    const order = await failedOrder(await buyFree(stolen, 5));
    expect(order.fulfilment).toMatchObject({ reason: 'contract-not-authorized', transactionHash: null });
    expect(order.fulfilment.message).toContain(address);
    const { body } = await call('GET', '/api/notifications', { token: other.token });
    const titles = body.notifications.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(['Tickets can not be minted']);
    expect(await countMinted(address)).toBe(0);
  });

  it('are minted without further steps once their organizer proves to administer the contract', async () => {
    const seller = await registerUser({ role: 'ORGANIZER' });
    const contract = await deployOwnContract(wallet);
    const event = await saleOn(contract, seller);
    const bought = await buyFree(event, 2);
    await failedOrder(bought);
    const message = await challenge(seller, wallet.address);
    expect((await verify(seller, message, await wallet.signMessage(message), contract)).status).toBe(200);
    expect(await statusOf(event)).toBe('authorized');
    await sharedStack().sweep();
    await mintedOrder(bought.buyer, bought.orderId);
    expect(await countMinted(contract)).toBe(2);
  });

  it('wait again when the wallet is no admin any more', async () => {
    const seller = await registerUser({ role: 'ORGANIZER' });
    const contract = await deployFirstRelease(wallet);
    const event = await saleOn(contract, seller);
    const message = await challenge(seller, wallet.address);
    await verify(seller, message, await wallet.signMessage(message), contract);
    await renounceAdmin(contract, wallet);
    const order = await failedOrder(await buyFree(event, 1));
    expect(order.fulfilment.reason).toBe('contract-not-authorized');
    expect(await statusOf(event)).toBe('unauthorized');
  });
});

describe('binding a contract by an admin', () => {
  it('lets an organizer use it until the permission is revoked', async () => {
    const admin = await registerAdmin();
    const route = `/api/contracts/${sharedStack().chainId}/${address}`;
    const organizerId = other.user.id;
    const bound = await call('PUT', route, { token: admin.token, body: { organizerId } });
    expect(bound.body.contract).toMatchObject({ address, organizerId, wallet: null });
    const release = () => call('DELETE', `${route}?organizerId=${organizerId}`, { token: admin.token });
    expect((await release()).status).toBe(200);
    expect((await release()).status).toBe(404);
  });

  it('is done by an operator’s command where exactly one organizer has minted', async () => {
    const admin = await registerAdmin();
    const seller = await registerUser({ role: 'ORGANIZER' });
    const contract = await deployOwnContract(wallet);
    const { chainId, ticketContract } = sharedStack();
    const route = `/api/contracts/${chainId}/${contract}`;
    await call('PUT', route, { token: admin.token, body: { organizerId: seller.user.id } });
    const event = await saleOn(contract, seller);
    const { buyer, orderId } = await buyFree(event, 1);
    await mintedOrder(buyer, orderId);
    await call('DELETE', `${route}?organizerId=${seller.user.id}`, { token: admin.token });
    expect(await statusOf(event)).toBe('unauthorized');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [bindContracts, '--admin', admin.user.id],
      {
        env: {
          ...process.env,
          ...tableEnvironment(sharedStack()),
          TICKET_CONTRACTS: `${chainId}:${ticketContract}`,
        },
      },
    );
    expect(stdout).toContain(`${contract} on chain ${chainId}: bound to ${seller.user.id}`);
    expect(stdout).not.toContain(ticketContract);
    expect(await statusOf(event)).toBe('authorized');
  });

  it('is for known organizers only', async () => {
    const admin = await registerAdmin();
    const route = `/api/contracts/${sharedStack().chainId}/${address}`;
    const answer = await call('PUT', route, { token: admin.token, body: { organizerId: 'nobody' } });
    expect(answer.headers.get('x-error-code')).toBe('user-not-found');
  });
});

describe('an event that allows transfers', () => {
  const allow = async (contract: string, allowed: boolean) => {
    const abi = ['function setTransfersAllowed(bool allowed)'];
    const call = new Contract(contract, abi, wallet).getFunction('setTransfersAllowed');
    await (await call(allowed)).wait();
  };
  const untilStatus = (event: { id: string }, status: string) =>
    eventually(`the contract is ${status}`, async () => {
      await sharedStack().sweep();
      return (await statusOf(event)) === status;
    });

  it('shows that its contract refuses them once it is saved, until one of both changes', async () => {
    const contract = await deployOwnContract(wallet);
    const message = await challenge(organizer, wallet.address);
    await verify(organizer, message, await wallet.signMessage(message), contract);
    await allow(contract, false);
    const event = await saleOn(contract, organizer);
    await untilStatus(event, 'mismatch');
    const put = (body: object) => call('PUT', `/api/events/${event.id}`, { token: organizer.token, body });
    // The latest state of the chain is stored, so the first answer contains it.
    expect((await put({ allowTransfers: false })).body.event.contractStatus).toBe('authorized');
    expect((await put({ allowTransfers: true })).body.event.contractStatus).toBe('mismatch');
    await allow(contract, true);
    await put({ city: 'Lagos' });
    await untilStatus(event, 'authorized');
  });

  it('shows it when its sale begins', async () => {
    const contract = await deployOwnContract(wallet);
    const message = await challenge(organizer, wallet.address);
    await verify(organizer, message, await wallet.signMessage(message), contract);
    const event = await saleOn(contract, organizer);
    const saleStart = new Date(Date.now() + 6_000).toISOString();
    const body = { saleStart };
    await call('PUT', `/api/events/${event.id}`, { token: organizer.token, body });
    await sharedStack().sweep();
    expect(await statusOf(event)).toBe('authorized');
    await allow(contract, false);
    await untilStatus(event, 'mismatch');
    expect(Date.now()).toBeGreaterThan(Date.parse(saleStart));
  });
});
