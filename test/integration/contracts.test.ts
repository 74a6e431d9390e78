import { AbiCoder, Contract, type JsonRpcProvider, keccak256, toBeHex, ZeroHash } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import artifact from '../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem, type Item } from '../../shared/dynamo/read.ts';
import {
  countMinted,
  createFundedAccount,
  deployContractWallet,
  deployOwnContract,
  removeAdminRole,
  requestChallenge,
} from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Person,
  readOrder,
  registerAdmin,
  registerUser,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { connectToTable, sharedStack } from '../support/stack.ts';

let organizer: Person;
let other: Person;
let wallet: Awaited<ReturnType<typeof createFundedAccount>>['wallet'];
let contractAddress: string;

beforeAll(async () => {
  connectToTable();
  [organizer, other, wallet] = await Promise.all([
    registerUser({ role: 'ORGANIZER' }),
    registerUser({ role: 'ORGANIZER' }),
    createFundedAccount().then((account) => account.wallet),
  ]);
  contractAddress = await deployOwnContract(wallet);
});

const verifyContract = (caller: Person, message: string, signature: string, contract = contractAddress) =>
  caller.post('/api/contracts/verify', {
    chainId: sharedStack().chainId,
    address: contract,
    message,
    signature,
  });

/** Deploys the ticket contract's code with storage in which these accounts have the admin role. */
async function deployForged(admins: string[]): Promise<string> {
  const abi = AbiCoder.defaultAbiCoder();
  const provider = wallet.provider as JsonRpcProvider;
  const adminSlot = (account: string, rolesSlot: number) => {
    const role = keccak256(abi.encode(['bytes32', 'uint256'], [ZeroHash, rolesSlot]));
    return keccak256(abi.encode(['address', 'bytes32'], [account, role]));
  };
  // Where the contract has its roles depends on the compiler.
  let rolesSlot = 0;
  while (BigInt(await provider.getStorage(contractAddress, adminSlot(wallet.address, rolesSlot))) !== 1n)
    rolesSlot++;
  const runtime = artifact.deployedBytecode.slice(2);
  // PUSH1 1, PUSH32 slot, SSTORE for each; then CODECOPY and RETURN of the runtime code.
  const stores = admins.map((admin) => `60017f${adminSlot(admin, rolesSlot).slice(2)}55`).join('');
  const size = toBeHex(runtime.length / 2, 2).slice(2);
  const offset = toBeHex(stores.length / 2 + 14, 1).slice(2);
  const data = `0x${stores}61${size}60${offset}60003961${size}6000f3${runtime}`;
  const receipt = await (await wallet.sendTransaction({ data })).wait();
  return receipt?.contractAddress as string;
}

const createEvent = async (contract: string, seller: Person, fields: object = {}) => {
  const body = {
    title: 'Free night',
    venue: 'Club',
    startDate: '2035-01-01',
    contractAddress: contract,
    chainId: sharedStack().chainId,
    tiers: [{ name: 'Standing', price: 0, quantity: 10, maxPerPerson: 5 }],
    ...fields,
  };
  const answer = await seller.post('/api/events', body);
  return answer.body.event;
};
const orderFreeTickets = async (event: { id: string; tiers: { id: string }[] }, quantity: number) => {
  const buyer = await registerUser({ walletAddress: wallet.address });
  const body = { eventId: event.id, tierId: event.tiers[0]?.id, quantity, paymentMethod: 'FIAT' };
  const { orderId } = (await buyer.post('/api/orders/initialize', body)).body;
  return { buyer, orderId };
};
const waitForFailedMinting = ({ buyer, orderId }: Awaited<ReturnType<typeof orderFreeTickets>>) =>
  eventually('minting fails', async () => {
    const order = await readOrder(buyer, orderId);
    return order.fulfilment.status === 'failed' && order;
  });
const readContractStatus = async ({ id }: { id: string }) =>
  (await call('GET', `/api/events/${id}`)).body.event.contractStatus;

describe('POST /api/contracts/verify', () => {
  it('binds the contract to the organizer whose wallet is its admin', async () => {
    const message = await requestChallenge(organizer, wallet.address);
    const answer = await verifyContract(organizer, message, await wallet.signMessage(message));
    expect(answer.status).toBe(200);
    expect(answer.body.contract).toMatchObject({
      chainId: sharedStack().chainId,
      address: contractAddress,
      organizerId: organizer.user.id,
      wallet: wallet.address,
    });
  });

  it('accepts a signed message only once', async () => {
    const message = await requestChallenge(organizer, wallet.address);
    const signature = await wallet.signMessage(message);
    const answers = [
      await verifyContract(organizer, message, signature),
      await verifyContract(organizer, message, signature),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(answers[1]?.headers.get('x-error-code')).toBe('invalid-signature');
  });

  it('refuses a signature by another wallet, and a challenge issued to another account', async () => {
    const stranger = (await createFundedAccount()).wallet;
    const message = await requestChallenge(organizer, wallet.address);
    const otherSignature = await verifyContract(organizer, message, await stranger.signMessage(message));
    const otherAccount = await verifyContract(other, message, await wallet.signMessage(message));
    expect([otherSignature.status, otherAccount.status]).toEqual([401, 401]);
  });

  it('refuses a challenge for linking a wallet', async () => {
    const message = await requestChallenge(organizer, wallet.address, 'link');
    expect((await verifyContract(organizer, message, await wallet.signMessage(message))).status).toBe(401);
  });

  it('refuses a wallet without the admin role of the contract', async () => {
    const stranger = (await createFundedAccount()).wallet;
    const message = await requestChallenge(other, stranger.address);
    const answer = await verifyContract(other, message, await stranger.signMessage(message));
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-error-code')).toBe('not-contract-admin');
  });

  it('refuses a contract with the ticket contract’s code that other code has deployed', async () => {
    const hidden = (await createFundedAccount()).wallet;
    const forged = await deployForged([wallet.address, hidden.address]);
    const message = await requestChallenge(organizer, wallet.address);
    const answer = await verifyContract(organizer, message, await wallet.signMessage(message), forged);
    expect(answer.headers.get('x-error-code')).toBe('unknown-creation-code');
    expect(answer.status).toBe(403);
  });

  it('accepts the signature of a contract wallet that is the admin (ERC-1271)', async () => {
    const multisig = await deployContractWallet(wallet);
    const contract = await deployOwnContract(wallet, multisig);
    const message = await requestChallenge(organizer, multisig);
    const answer = await verifyContract(organizer, message, await wallet.signMessage(message), contract);
    expect(answer.status).toBe(200);
    expect(answer.body.contract.wallet).toBe(multisig);
  });
});

describe('the tickets of an event', () => {
  it('are not minted on a contract of another organizer', async () => {
    const event = await createEvent(contractAddress, other);
    expect(event.contractStatus).toBe('unauthorized');
    const order = await waitForFailedMinting(await orderFreeTickets(event, 5));
    expect(order.fulfilment).toMatchObject({ reason: 'contract-not-authorized', transactionHash: null });
    expect(order.fulfilment.message).toContain(contractAddress);
    const { body } = await other.get('/api/notifications');
    const titles = body.notifications.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(['Tickets can not be minted']);
    expect(await countMinted(contractAddress)).toBe(0);
  });

  it('are minted automatically once their organizer has verified the contract', async () => {
    const seller = await registerUser({ role: 'ORGANIZER' });
    const contract = await deployOwnContract(wallet);
    const event = await createEvent(contract, seller);
    const order = await orderFreeTickets(event, 2);
    await waitForFailedMinting(order);
    const message = await requestChallenge(seller, wallet.address);
    expect((await verifyContract(seller, message, await wallet.signMessage(message), contract)).status).toBe(
      200,
    );
    expect(await readContractStatus(event)).toBe('authorized');
    await sharedStack().sweep();
    await waitForMintedOrder(order.buyer, order.orderId);
    expect(await countMinted(contract)).toBe(2);
  });

  it('are not minted after the wallet has lost the admin role', async () => {
    const seller = await registerUser({ role: 'ORGANIZER' });
    const contract = await deployOwnContract(wallet);
    const event = await createEvent(contract, seller);
    const message = await requestChallenge(seller, wallet.address);
    await verifyContract(seller, message, await wallet.signMessage(message), contract);
    await removeAdminRole(contract, wallet);
    const order = await waitForFailedMinting(await orderFreeTickets(event, 1));
    expect(order.fulfilment.reason).toBe('contract-not-authorized');
    expect(await readContractStatus(event)).toBe('unauthorized');
  });
});

describe('binding a contract as an administrator', () => {
  it('lasts until an administrator revokes it', async () => {
    const admin = await registerAdmin();
    const route = `/api/contracts/${sharedStack().chainId}/${contractAddress}`;
    const organizerId = other.user.id;
    const binding = await admin.put(route, { organizerId });
    expect(binding.body.contract).toMatchObject({ address: contractAddress, organizerId, wallet: null });
    const revokeBinding = () => admin.delete(`${route}?organizerId=${organizerId}`);
    expect((await revokeBinding()).status).toBe(200);
    expect((await revokeBinding()).status).toBe(404);
  });

  it('is refused for an unknown organizer', async () => {
    const admin = await registerAdmin();
    const route = `/api/contracts/${sharedStack().chainId}/${contractAddress}`;
    const answer = await admin.put(route, { organizerId: 'nobody' });
    expect(answer.headers.get('x-error-code')).toBe('user-not-found');
  });
});

describe('an event that allows transfers, on a contract that refuses them', () => {
  const setTransfersAllowed = async (contract: string, allowed: boolean) => {
    const abi = ['function setTransfersAllowed(bool allowed)'];
    const setter = new Contract(contract, abi, wallet).getFunction('setTransfersAllowed');
    await (await setter(allowed)).wait();
  };
  const waitForStatus = (event: { id: string }, status: string) =>
    eventually(`the contract is ${status}`, async () => {
      await sharedStack().sweep();
      return (await readContractStatus(event)) === status;
    });

  it('has the contract status `mismatch` after saving, until the event or the contract changes', async () => {
    const contract = await deployOwnContract(wallet);
    const message = await requestChallenge(organizer, wallet.address);
    await verifyContract(organizer, message, await wallet.signMessage(message), contract);
    await setTransfersAllowed(contract, false);
    const event = await createEvent(contract, organizer);
    await waitForStatus(event, 'mismatch');
    const changeEvent = (body: object) => organizer.put(`/api/events/${event.id}`, body);
    // The answer compares the event with the last stored state of the contract, so no sweep is needed.
    expect((await changeEvent({ allowTransfers: false })).body.event.contractStatus).toBe('authorized');
    expect((await changeEvent({ allowTransfers: true })).body.event.contractStatus).toBe('mismatch');
    await setTransfersAllowed(contract, true);
    await changeEvent({ city: 'Lagos' });
    await waitForStatus(event, 'authorized');
  });

  it('has the contract status `mismatch` once its sale has started, if the contract changed before', async () => {
    const contract = await deployOwnContract(wallet);
    const message = await requestChallenge(organizer, wallet.address);
    await verifyContract(organizer, message, await wallet.signMessage(message), contract);
    const hasStarted = ({ saleStart }: { saleStart: string }) => Date.now() >= Date.parse(saleStart);
    let event = { id: '', saleStart: '1970-01-01' };
    // On a slow machine, the sale may start before the contract has changed. Then the sale of another event starts later.
    for (let seconds = 6; hasStarted(event); seconds *= 3) {
      await setTransfersAllowed(contract, true);
      const saleStart = new Date(Date.now() + seconds * 1000).toISOString();
      event = await createEvent(contract, organizer, { saleStart });
      await eventually('the check after saving has scheduled the next check', async () => {
        await sharedStack().sweep();
        const status = await readContractStatus(event);
        const { dueAt } = (await getItem(keys.event(event.id))) as Item;
        return hasStarted(event) || (status === 'authorized' && dueAt === saleStart);
      });
      await setTransfersAllowed(contract, false);
    }
    await waitForStatus(event, 'mismatch');
    expect(hasStarted(event)).toBe(true);
  });
});
