import { id, zeroPadBytes } from 'ethers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compileContracts } from '../../infra/contracts/solc.ts';
import { ticketInterfaceId } from '../../shared/chain/ticket-contract.ts';
import { type Chain, type DeployedContract, startChain } from './chain.ts';
import { nobody } from './model.ts';

const { BoxofficeTickets } = compileContracts(['infra/contracts/BoxofficeTickets.sol'], ['BoxofficeTickets']);
const adminRole = zeroPadBytes('0x', 32);
const minterRole = id('MINTER_ROLE');
const order = id('an order');
const firstId = BigInt(order) & ~0xffffn;

let chain: Chain;
let admin: string;
let minter: string;
let buyer: string;
let other: string;
let tickets: DeployedContract;

/** What a call emits; it must not revert. */
const call = async (from: string, method: string, ...args: unknown[]) => {
  const { error, events } = await chain.execute(from, tickets, method, args);
  expect(error).toBeUndefined();
  return events;
};
/** Why a call reverts. */
const refusal = async (from: string, method: string, ...args: unknown[]) =>
  (await chain.execute(from, tickets, method, args)).error;
const read = (method: string, ...args: unknown[]) => chain.read(tickets, method, args);

beforeAll(async () => {
  chain = await startChain();
  [admin, minter, buyer, other] = chain.accounts as [string, string, string, string];
}, 60_000);
beforeEach(async () => {
  const args = ['The Show', 'SHOW', 'https://example.org/show/', true, admin, [minter]];
  tickets = await chain.deploy(admin, BoxofficeTickets, args);
});
afterAll(() => chain?.stop());

describe('ids', () => {
  test('are the order key with its last 16 bits replaced by the index, and known before the mint', async () => {
    expect(await read('firstTokenId', order)).toBe(firstId);
    const events = await call(minter, 'mintOrder', order, buyer, 3);
    expect(events.map(({ name, args }) => [name, args[2]])).toEqual([
      ['Transfer', firstId],
      ['Transfer', firstId + 1n],
      ['Transfer', firstId + 2n],
    ]);
  });

  test('keys that differ in the last 16 bits only are the same order', async () => {
    await call(minter, 'mintOrder', order, buyer, 1);
    const twin = `${order.slice(0, -4)}0000`;
    expect(await read('mintedQuantity', twin)).toBe(1n);
    expect(await call(minter, 'mintOrder', twin, other, 1)).toEqual([]);
  });

  test('the extreme keys are keys like any other', async () => {
    for (const key of [`0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`]) {
      await call(minter, 'mintOrder', key, buyer, 2);
      const first = (await read('firstTokenId', key)) as bigint;
      expect(await read('ownerOf', first + 1n)).toHaveProperty('length', 42);
      await expect(read('ownerOf', first + 2n)).rejects.toThrow('ERC721NonexistentToken');
    }
    expect(await read('balanceOf', buyer)).toBe(4n);
  });
});

describe('an order is minted once', () => {
  test('a replay does nothing, whoever and however many it names', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    expect(await call(minter, 'mintOrder', order, other, 5)).toEqual([]);
    expect(await read('mintedQuantity', order)).toBe(2n);
    expect(await read('balanceOf', other)).toBe(0n);
  });

  test('neither transfers nor burns make it mintable again, or change its minted quantity', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    await call(buyer, 'transferFrom', buyer, other, firstId);
    await call(minter, 'burn', other, [firstId]);
    await call(minter, 'burn', buyer, [firstId + 1n]);

    expect(await call(minter, 'mintOrder', order, buyer, 2)).toEqual([]);
    expect(await read('mintedQuantity', order)).toBe(2n);
    expect(await read('balanceOf', buyer)).toBe(0n);
    await expect(read('ownerOf', firstId)).rejects.toThrow('ERC721NonexistentToken');
  });

  test('in a batch, the first of two with the same key counts', async () => {
    const batch = [
      [order, buyer, 2],
      [id('another order'), buyer, 1],
      [order, other, 3],
    ];
    expect(await call(minter, 'mintOrders', batch)).toHaveLength(3);
    expect(await read('balanceOf', other)).toBe(0n);
  });

  test('a batch with an order that reverts mints none', async () => {
    const batch = [
      [order, buyer, 1],
      [id('another order'), nobody, 1],
    ];
    expect(await refusal(minter, 'mintOrders', batch)).toBe('ERC721InvalidReceiver');
    expect(await read('mintedQuantity', order)).toBe(0n);
  });
});

describe('limits', () => {
  test('the largest order fits in one transaction, and every ticket of it has its owner', async () => {
    const largest = (await read('MAX_ORDER_QUANTITY')) as bigint;
    const { events, gasUsed } = await chain.execute(minter, tickets, 'mintOrder', [order, buyer, largest]);
    expect(events).toHaveLength(Number(largest));
    expect(gasUsed).toBeLessThan(2 ** 24);
    expect(await read('balanceOf', buyer)).toBe(largest);
    expect(String(await read('ownerOf', firstId + largest - 1n)).toLowerCase()).toBe(buyer);
    await expect(read('ownerOf', firstId + largest)).rejects.toThrow('ERC721NonexistentToken');
  });

  test.each([0n, 5_001n, 2n ** 88n + 1n, 2n ** 256n - 1n])(
    'a quantity of %s is refused',
    async (quantity) => {
      expect(await refusal(minter, 'mintOrder', order, buyer, quantity)).toBe('InvalidQuantity');
    },
  );

  test('the zero address gets no tickets', async () => {
    expect(await refusal(minter, 'mintOrder', order, nobody, 1)).toBe('ERC721InvalidReceiver');
  });

  test('a contract gets them without being asked, but not by a safe transfer', async () => {
    await call(minter, 'mintOrder', order, tickets.address, 1);
    expect(await read('balanceOf', tickets.address)).toBe(1n);

    await call(minter, 'mintOrder', id('another order'), buyer, 1);
    const tokenId = BigInt(id('another order')) & ~0xffffn;
    const safely = 'safeTransferFrom(address,address,uint256)';
    expect(await refusal(buyer, safely, buyer, tickets.address, tokenId)).toBe('ERC721InvalidReceiver');
    expect(await call(buyer, safely, buyer, other, tokenId)).toHaveLength(1);
  });
});

describe('burning', () => {
  test('a ticket that was sold on stays with its new holder', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    await call(buyer, 'transferFrom', buyer, other, firstId);
    const events = await call(minter, 'burn', buyer, [firstId, firstId + 1n]);
    expect(events.map(({ args }) => args[2])).toEqual([firstId + 1n]);
    expect(await read('balanceOf', other)).toBe(1n);
  });

  test('again, or twice in one call, is harmless', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    expect(await call(minter, 'burn', buyer, [firstId, firstId])).toHaveLength(1);
    expect(await call(minter, 'burn', buyer, [firstId])).toEqual([]);
    expect(await read('balanceOf', buyer)).toBe(1n);
  });

  test('is for minters and admins, not for holders', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    expect(await refusal(buyer, 'burn', buyer, [firstId])).toBe('AccessControlUnauthorizedAccount');
    expect(await call(admin, 'burn', buyer, [firstId])).toHaveLength(1);
  });
});

describe('transfers', () => {
  test('are refused when the admin says so, while minting and burning go on', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    const events = await call(admin, 'setTransfersAllowed', false);
    expect(events.map(({ name, args }) => [name, args[0]])).toEqual([['TransfersAllowedChanged', false]]);

    expect(await refusal(buyer, 'transferFrom', buyer, other, firstId)).toBe('TransfersRefused');
    expect(await call(minter, 'mintOrder', id('another order'), buyer, 1)).toHaveLength(1);
    expect(await call(minter, 'burn', buyer, [firstId])).toHaveLength(1);

    await call(admin, 'setTransfersAllowed', true);
    expect(await call(buyer, 'transferFrom', buyer, other, firstId + 1n)).toHaveLength(1);
  });

  test('can be refused from the start', async () => {
    tickets = await chain.deploy(admin, BoxofficeTickets, ['T', 'T', '', false, admin, [minter]]);
    await call(minter, 'mintOrder', order, buyer, 1);
    expect(await read('transfersAllowed')).toBe(false);
    expect(await refusal(buyer, 'transferFrom', buyer, other, firstId)).toBe('TransfersRefused');
  });
});

describe('roles', () => {
  test('a minter mints from its appointment to its dismissal', async () => {
    const unauthorized = 'AccessControlUnauthorizedAccount';
    expect(await refusal(other, 'mintOrder', id('before'), buyer, 1)).toBe(unauthorized);
    await call(admin, 'grantRole', minterRole, other);
    expect(await call(other, 'mintOrder', id('during'), buyer, 1)).toHaveLength(1);
    await call(admin, 'revokeRole', minterRole, other);
    expect(await refusal(other, 'mintOrder', id('after'), buyer, 1)).toBe(unauthorized);
  });

  test('the admin does not mint, and the minter does not administer', async () => {
    const unauthorized = 'AccessControlUnauthorizedAccount';
    expect(await refusal(admin, 'mintOrder', order, buyer, 1)).toBe(unauthorized);
    expect(await refusal(admin, 'mintOrders', [[order, buyer, 1]])).toBe(unauthorized);
    expect(await refusal(minter, 'grantRole', minterRole, other)).toBe(unauthorized);
    expect(await refusal(minter, 'setTransfersAllowed', false)).toBe(unauthorized);
    expect(await refusal(minter, 'setBaseTokenURI', 'https://example.org/')).toBe(unauthorized);
  });

  test('the admin can hand over', async () => {
    await call(admin, 'grantRole', adminRole, other);
    await call(other, 'revokeRole', adminRole, admin);
    expect(await refusal(admin, 'setTransfersAllowed', false)).toBe('AccessControlUnauthorizedAccount');
    expect(await call(other, 'setTransfersAllowed', false)).toHaveLength(1);
  });
});

describe('what wallets and marketplaces ask', () => {
  test('the interfaces it supports', async () => {
    const supported = {
      'ERC-165': '0x01ffc9a7',
      'ERC-721': '0x80ac58cd',
      'ERC-721 metadata': '0x5b5e139f',
      'ERC-4906': '0x49064906',
      'access control': '0x7965db0b',
      ours: ticketInterfaceId,
    };
    for (const [name, interfaceId] of Object.entries(supported)) {
      expect([name, await read('supportsInterface', interfaceId)]).toEqual([name, true]);
    }
    expect(await read('supportsInterface', '0xffffffff')).toBe(false);
    expect(await read('supportsInterface', '0x780e9d63')).toBe(false);
  });

  test('name, symbol, and a token URI that follows the base', async () => {
    expect([await read('name'), await read('symbol')]).toEqual(['The Show', 'SHOW']);
    await expect(read('tokenURI', firstId)).rejects.toThrow('ERC721NonexistentToken');
    await call(minter, 'mintOrder', order, buyer, 1);
    expect(await read('tokenURI', firstId)).toBe(`https://example.org/show/${firstId}`);

    const events = await call(admin, 'setBaseTokenURI', 'ipfs://folder/');
    expect(events.map(({ name, args }) => [name, ...args])).toEqual([
      ['BatchMetadataUpdate', 0n, 2n ** 256n - 1n],
    ]);
    expect(await read('tokenURI', firstId)).toBe(`ipfs://folder/${firstId}`);

    await call(admin, 'setBaseTokenURI', '');
    expect(await read('tokenURI', firstId)).toBe('');
  });
});
