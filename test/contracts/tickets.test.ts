import { Interface, id, zeroPadBytes } from 'ethers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compileContracts } from '../../infra/contracts/compile.ts';
import { ticketInterfaceId } from '../../shared/chain/ticket-contract.ts';
import { type Chain, type DeployedContract, startChain } from './chain.ts';
import { zeroAddress } from './model.ts';

const { BoxofficeTickets, RecipientValidator } = compileContracts(
  ['infra/contracts/BoxofficeTickets.sol', 'test/contracts/RecipientValidator.sol'],
  ['BoxofficeTickets', 'RecipientValidator'],
);
const adminRole = zeroPadBytes('0x', 32);
const minterRole = id('MINTER_ROLE');
const burnerRole = id('BURNER_ROLE');
const metadataRole = id('METADATA_ROLE');
const unauthorized = 'AccessControlUnauthorizedAccount';
const maximumTokenId = 2n ** 256n - 1n;
const order = id('an order');
const firstId = BigInt(order) & ~0xffffn;

let chain: Chain;
let admin: string;
let minter: string;
let burner: string;
let buyer: string;
let other: string;
let tickets: DeployedContract;

/** Returns the events of a call that must not revert. */
const call = async (from: string, method: string, ...args: unknown[]) => {
  const { error, events } = await chain.execute(from, tickets, method, args);
  expect(error).toBeUndefined();
  return events;
};
/** Returns the error of a call that must revert. */
const refusal = async (from: string, method: string, ...args: unknown[]) =>
  (await chain.execute(from, tickets, method, args)).error;
const read = (method: string, ...args: unknown[]) => chain.read(tickets, method, args);

beforeAll(async () => {
  chain = await startChain();
  [admin, minter, burner, buyer, other] = chain.accounts as [string, string, string, string, string];
}, 60_000);
const deploy = async ({ transfersAllowed = true } = {}) => {
  const uris = ['https://example.org/show/', 'https://example.org/show'];
  const args = ['The Show', 'SHOW', uris[0], transfersAllowed, admin, [minter], [burner], uris[1]];
  tickets = await chain.deploy(admin, BoxofficeTickets, args);
};
beforeEach(() => deploy());
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

  test('the lowest and the highest key are valid', async () => {
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
  test('a replay does nothing, for any valid recipient and quantity, and reverts for others', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    expect(await call(minter, 'mintOrder', order, other, 5)).toEqual([]);
    expect(await refusal(minter, 'mintOrder', order, zeroAddress, 2)).toBe('ERC721InvalidReceiver');
    expect(await refusal(minter, 'mintOrder', order, buyer, 0)).toBe('InvalidQuantity');
    expect(await read('mintedQuantity', order)).toBe(2n);
    expect(await read('balanceOf', other)).toBe(0n);
  });

  test('neither transfers nor burns make it mintable again, or change its minted quantity', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    await call(buyer, 'transferFrom', buyer, other, firstId);
    await call(burner, 'burn', other, [firstId]);
    await call(burner, 'burn', buyer, [firstId + 1n]);

    expect(await call(minter, 'mintOrder', order, buyer, 2)).toEqual([]);
    expect(await read('mintedQuantity', order)).toBe(2n);
    expect(await read('balanceOf', buyer)).toBe(0n);
    await expect(read('ownerOf', firstId)).rejects.toThrow('ERC721NonexistentToken');
  });

  test('a batch mints the first of two orders with the same key', async () => {
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
      [id('another order'), zeroAddress, 1],
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
    // EIP-7825's limit per transaction.
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

  test('tickets are not minted to the zero address', async () => {
    expect(await refusal(minter, 'mintOrder', order, zeroAddress, 1)).toBe('ERC721InvalidReceiver');
  });

  test('tickets are minted to a contract that would refuse a safe transfer', async () => {
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
  test('a transferred ticket stays with its new holder', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    await call(buyer, 'transferFrom', buyer, other, firstId);
    const events = await call(burner, 'burn', buyer, [firstId, firstId + 1n]);
    expect(events.map(({ args }) => args[2])).toEqual([firstId + 1n]);
    expect(await read('balanceOf', other)).toBe(1n);
  });

  test('has no effect on a burned ticket, even within one call', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    expect(await call(burner, 'burn', buyer, [firstId, firstId])).toHaveLength(1);
    expect(await call(burner, 'burn', buyer, [firstId])).toEqual([]);
    expect(await read('balanceOf', buyer)).toBe(1n);
  });

  test('is allowed for burners and the admin, not for holders and minters', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    expect(await refusal(buyer, 'burn', buyer, [firstId])).toBe(unauthorized);
    expect(await refusal(minter, 'burn', buyer, [firstId])).toBe(unauthorized);
    expect(await call(admin, 'burn', buyer, [firstId])).toHaveLength(1);
  });

  test('is remembered for each ticket of an order of more than 79', async () => {
    await call(minter, 'mintOrder', order, buyer, 100);
    const exists = (index: bigint) =>
      read('ownerOf', firstId + index).then(
        () => true,
        () => false,
      );
    for (const index of [0n, 78n, 79n, 99n]) {
      expect(await call(burner, 'burn', buyer, [firstId + index])).toHaveLength(1);
      expect(await call(burner, 'burn', buyer, [firstId + index])).toEqual([]);
    }
    const indexes = [0n, 1n, 77n, 78n, 79n, 80n, 98n, 99n];
    expect(await Promise.all(indexes.map(exists))).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      true,
      false,
    ]);
    expect(await read('balanceOf', buyer)).toBe(96n);
    expect(await read('mintedQuantity', order)).toBe(100n);
  });

  test('is refused for the zero address', async () => {
    expect(await refusal(burner, 'burn', zeroAddress, [firstId])).toBe('ERC721InvalidOwner');
  });
});

describe('transfers', () => {
  test('are refused when the admin disallows them, while minting and burning continue', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    const events = await call(admin, 'setTransfersAllowed', false);
    expect(events.map(({ name, args }) => [name, args[0]])).toEqual([
      ['TransfersAllowedChanged', false],
      ['DefaultLocked', true],
    ]);

    expect(await refusal(buyer, 'transferFrom', buyer, other, firstId)).toBe('TransfersRefused');
    expect(await call(minter, 'mintOrder', id('another order'), buyer, 1)).toHaveLength(1);
    expect(await call(burner, 'burn', buyer, [firstId])).toHaveLength(1);

    await call(admin, 'setTransfersAllowed', true);
    expect(await call(buyer, 'transferFrom', buyer, other, firstId + 1n)).toHaveLength(1);
  });

  test('can be refused from the start', async () => {
    await deploy({ transfersAllowed: false });
    await call(minter, 'mintOrder', order, buyer, 1);
    expect(await read('transfersAllowed')).toBe(false);
    expect(await refusal(buyer, 'transferFrom', buyer, other, firstId)).toBe('TransfersRefused');
  });
});

describe('locks (ERC-5192)', () => {
  test('apply to all tickets while transfers are refused', async () => {
    await call(minter, 'mintOrder', order, buyer, 1);
    expect(await read('locked', firstId)).toBe(false);
    await call(admin, 'setTransfersAllowed', false);
    expect(await read('locked', firstId)).toBe(true);
  });

  test('have a default, which is announced at deployment and at each change (ERC-6982)', async () => {
    await deploy({ transfersAllowed: false });
    expect(await read('defaultLocked')).toBe(true);
    expect(await chain.events(tickets, 'DefaultLocked')).toEqual([[true]]);
    await call(admin, 'setTransfersAllowed', true);
    await call(admin, 'setTransfersAllowed', false);
    expect(await chain.events(tickets, 'DefaultLocked')).toEqual([[true], [false], [true]]);
    expect(await read('defaultLocked')).toBe(true);
  });

  test('of one ticket leave it with its holder, and are announced', async () => {
    await call(minter, 'mintOrder', order, buyer, 3);
    const events = await call(burner, 'lock', [firstId + 1n]);
    expect(events.map(({ signature, args }) => [signature, ...args])).toEqual([
      ['Locked(uint256)', firstId + 1n],
      ['Locked(uint256,bool)', firstId + 1n, true],
      ['MetadataUpdate(uint256)', firstId + 1n],
    ]);
    expect(await read('locked', firstId + 1n)).toBe(true);
    expect(await read('locked', firstId)).toBe(false);
    expect(await read('defaultLocked')).toBe(false);

    await call(buyer, 'approve', other, firstId + 1n);
    expect(await refusal(buyer, 'transferFrom', buyer, other, firstId + 1n)).toBe('TicketLocked');
    expect(await refusal(other, 'transferFrom', buyer, other, firstId + 1n)).toBe('TicketLocked');
    expect(await call(buyer, 'transferFrom', buyer, other, firstId)).toHaveLength(1);
  });

  test('of one ticket outlast a change of the default, and are ended by its burn only', async () => {
    await call(minter, 'mintOrder', order, buyer, 1);
    await call(burner, 'lock', [firstId]);
    await call(admin, 'setTransfersAllowed', false);
    await call(admin, 'setTransfersAllowed', true);
    expect(await read('locked', firstId)).toBe(true);
    expect(await refusal(buyer, 'transferFrom', buyer, other, firstId)).toBe('TicketLocked');
    expect(await call(burner, 'burn', buyer, [firstId])).toHaveLength(1);
    await expect(read('locked', firstId)).rejects.toThrow('ERC721NonexistentToken');
  });

  test('apply to a ticket that was transferred, and skip locked and absent ones', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    await call(buyer, 'transferFrom', buyer, other, firstId);
    expect(await call(burner, 'lock', [firstId, firstId, firstId + 2n])).toHaveLength(3);
    expect(await call(burner, 'lock', [firstId, firstId + 2n])).toEqual([]);
    expect(await refusal(other, 'transferFrom', other, buyer, firstId)).toBe('TicketLocked');
    expect(await call(burner, 'lock', [])).toEqual([]);
  });

  test('are not defined for a ticket that does not exist', async () => {
    await expect(read('locked', firstId)).rejects.toThrow('ERC721NonexistentToken');
    await call(minter, 'mintOrder', order, buyer, 1);
    await call(burner, 'burn', buyer, [firstId]);
    await expect(read('locked', firstId)).rejects.toThrow('ERC721NonexistentToken');
  });

  test('are announced for the given tickets, with their current state', async () => {
    const announced = async () => {
      const events = await call(admin, 'announceLocks', [firstId, firstId + 2n]);
      return events.map(({ name, args }) => [name, ...args]);
    };
    await call(minter, 'mintOrder', order, buyer, 3);
    expect(await announced()).toEqual([
      ['Unlocked', firstId],
      ['Unlocked', firstId + 2n],
    ]);
    await call(admin, 'setTransfersAllowed', false);
    expect(await announced()).toEqual([
      ['Locked', firstId],
      ['Locked', firstId + 2n],
    ]);
  });

  test('of one ticket are announced among others', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    await call(burner, 'lock', [firstId + 1n]);
    const events = await call(admin, 'announceLocks', [firstId, firstId + 1n]);
    expect(events.map(({ signature, args }) => [signature, ...args])).toEqual([
      ['Unlocked(uint256)', firstId],
      ['Locked(uint256)', firstId + 1n],
    ]);
  });

  test('are announced by the admin alone, for tickets that exist', async () => {
    await call(minter, 'mintOrder', order, buyer, 1);
    expect(await refusal(minter, 'announceLocks', [firstId])).toBe(unauthorized);
    expect(await refusal(admin, 'announceLocks', [firstId, firstId + 1n])).toBe('ERC721NonexistentToken');
  });
});

describe('the transfer validator (ERC-721C)', () => {
  /** Returns with what the validator refuses a transfer of the first ticket; undefined when it does not. */
  const validatorRefusal = async (by: string, from: string, to: string) => {
    const error = await chain.revertData(by, tickets, 'transferFrom', [from, to, firstId]);
    const refused = new Interface(RecipientValidator.abi).parseError(error);
    return refused?.args.map((argument) =>
      typeof argument === 'string' ? argument.toLowerCase() : argument,
    );
  };
  const deployValidator = (recipient: string) => chain.deploy(admin, RecipientValidator, [recipient]);

  test('is none until the admin sets one, which then decides about transfers alone', async () => {
    expect(await read('getTransferValidator')).toBe(zeroAddress);
    await call(minter, 'mintOrder', order, buyer, 3);
    const { address } = await deployValidator(other);
    const events = await call(admin, 'setTransferValidator', address);
    expect(events.map(({ name, args }) => [name, ...args.map((value) => value.toLowerCase())])).toEqual([
      ['TransferValidatorUpdated', zeroAddress, address],
    ]);
    expect(String(await read('getTransferValidator')).toLowerCase()).toBe(address);

    expect(await validatorRefusal(buyer, buyer, admin)).toBeDefined();
    expect(await call(buyer, 'transferFrom', buyer, other, firstId)).toHaveLength(1);
    expect(await call(minter, 'mintOrder', id('another order'), admin, 1)).toHaveLength(1);
    expect(await call(burner, 'burn', buyer, [firstId + 1n])).toHaveLength(1);
    expect(await call(burner, 'lock', [firstId + 2n])).toHaveLength(3);

    await call(admin, 'setTransferValidator', zeroAddress);
    expect(await call(other, 'transferFrom', other, admin, firstId)).toHaveLength(1);
  });

  test('is asked about the caller, both holders and the ticket, before the transfer', async () => {
    await call(minter, 'mintOrder', order, buyer, 1);
    const { address } = await deployValidator(admin);
    await call(admin, 'setTransferValidator', address);
    await call(buyer, 'approve', burner, firstId);
    expect(await validatorRefusal(burner, buyer, other)).toEqual([burner, buyer, other, firstId, buyer]);
  });

  test('transfers a ticket itself without asking itself', async () => {
    await call(minter, 'mintOrder', order, buyer, 1);
    const validator = await deployValidator(admin);
    await call(admin, 'setTransferValidator', validator.address);
    await call(buyer, 'approve', validator.address, firstId);
    const { error } = await chain.execute(other, validator, 'transfer', [
      tickets.address,
      buyer,
      other,
      firstId,
    ]);
    expect(error).toBeUndefined();
    expect(String(await read('ownerOf', firstId)).toLowerCase()).toBe(other);
  });

  test('is a contract, and set by the admin alone', async () => {
    expect(await refusal(admin, 'setTransferValidator', other)).toBe('InvalidTransferValidator');
    const { address } = await deployValidator(other);
    for (const account of [minter, burner, buyer]) {
      expect(await refusal(account, 'setTransferValidator', address)).toBe(unauthorized);
    }
  });

  test('tells marketplaces which of its functions decides', async () => {
    const selector = id('validateTransfer(address,address,address,uint256)').slice(0, 10);
    expect([...((await read('getTransferValidationFunction')) as unknown[])]).toEqual([selector, true]);
  });
});

describe('roles', () => {
  test('a minter mints from the grant of its role until it is revoked', async () => {
    expect(await refusal(other, 'mintOrder', id('before'), buyer, 1)).toBe(unauthorized);
    await call(admin, 'grantRole', minterRole, other);
    expect(await call(other, 'mintOrder', id('during'), buyer, 1)).toHaveLength(1);
    await call(admin, 'revokeRole', minterRole, other);
    expect(await refusal(other, 'mintOrder', id('after'), buyer, 1)).toBe(unauthorized);
  });

  test('a burner burns from the grant of its role until it is revoked, and does not mint', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    await call(admin, 'grantRole', burnerRole, other);
    expect(await call(other, 'burn', buyer, [firstId])).toHaveLength(1);
    expect(await refusal(other, 'mintOrder', id('another order'), buyer, 1)).toBe(unauthorized);
    await call(admin, 'revokeRole', burnerRole, other);
    expect(await refusal(other, 'burn', buyer, [firstId + 1n])).toBe(unauthorized);
  });

  test('each role does what is its own, and nothing of the others', async () => {
    await call(minter, 'mintOrder', order, buyer, 2);
    const roles = { minter: minterRole, burner: burnerRole, metadata: metadataRole };
    const calls: Record<string, [method: string, ...args: unknown[]][]> = {
      minter: [
        ['mintOrder', id('another order'), buyer, 1],
        ['mintOrders', [[id('a third order'), buyer, 1]]],
      ],
      burner: [
        ['lock', [firstId]],
        ['burn', buyer, [firstId]],
      ],
      metadata: [['refreshMetadata', firstId, firstId]],
    };
    for (const [role, roleId] of Object.entries(roles)) {
      await call(admin, 'grantRole', roleId, other);
      for (const [owner, ownCalls] of Object.entries(calls)) {
        for (const [method, ...args] of ownCalls) {
          const error = await refusal(other, method, ...args);
          expect([role, method, error]).toEqual([role, method, owner === role ? undefined : unauthorized]);
        }
      }
      await call(admin, 'revokeRole', roleId, other);
    }
  });

  test('the first minters have the metadata role too, and the first burners do not', async () => {
    expect(await read('hasRole', metadataRole, minter)).toBe(true);
    expect(await read('hasRole', metadataRole, burner)).toBe(false);
    expect(await call(minter, 'refreshMetadata', 1n, 2n)).toHaveLength(1);
  });

  test('a refused caller is told the role that it needs', async () => {
    const neededRole = async (method: string, ...args: unknown[]) => {
      const error = await chain.revertData(other, tickets, method, args);
      return tickets.interface.parseError(error)?.args[1];
    };
    expect(await neededRole('mintOrder', order, buyer, 1)).toBe(minterRole);
    expect(await neededRole('burn', buyer, [firstId])).toBe(burnerRole);
    expect(await neededRole('lock', [firstId])).toBe(burnerRole);
    expect(await neededRole('refreshMetadata', 1n, 1n)).toBe(metadataRole);
    expect(await neededRole('setTransfersAllowed', true)).toBe(adminRole);
  });

  test('the admin does not mint, and neither minter nor burner administer', async () => {
    expect(await refusal(admin, 'mintOrder', order, buyer, 1)).toBe(unauthorized);
    expect(await refusal(admin, 'mintOrders', [[order, buyer, 1]])).toBe(unauthorized);
    for (const account of [minter, burner, other]) {
      expect(await refusal(account, 'grantRole', minterRole, other)).toBe(unauthorized);
      expect(await refusal(account, 'grantRole', burnerRole, other)).toBe(unauthorized);
      expect(await refusal(account, 'setTransfersAllowed', false)).toBe(unauthorized);
      expect(await refusal(account, 'setBaseTokenURI', 'https://example.org/')).toBe(unauthorized);
      expect(await refusal(account, 'setContractURI', 'https://example.org/')).toBe(unauthorized);
      expect(await refusal(account, 'setDefaultRoyalty', other, 500n)).toBe(unauthorized);
      expect(await refusal(account, 'beginDefaultAdminTransfer', other)).toBe(unauthorized);
    }
  });
});

describe('the admin', () => {
  const advanceDay = () => chain.advanceTime(24 * 60 * 60 + 1);

  test('is the owner() of the contract', async () => {
    expect(String(await read('owner')).toLowerCase()).toBe(admin);
    expect(String(await read('defaultAdmin')).toLowerCase()).toBe(admin);
    expect(await read('hasRole', adminRole, admin)).toBe(true);
  });

  test('is never the zero address', async () => {
    const args = ['T', 'T', '', true, zeroAddress, [minter], [burner], ''];
    await expect(chain.deploy(admin, BoxofficeTickets, args)).rejects.toThrow();
  });

  test('transfers the role in two steps, a day apart', async () => {
    expect(await read('defaultAdminDelay')).toBe(86_400n);
    await call(admin, 'beginDefaultAdminTransfer', other);
    expect(String(await read('owner')).toLowerCase()).toBe(admin);
    const early = 'AccessControlEnforcedDefaultAdminDelay';
    expect(await refusal(other, 'acceptDefaultAdminTransfer')).toBe(early);

    await advanceDay();
    expect(await refusal(buyer, 'acceptDefaultAdminTransfer')).toBe('AccessControlInvalidDefaultAdmin');
    await call(other, 'acceptDefaultAdminTransfer');
    expect(String(await read('owner')).toLowerCase()).toBe(other);
    expect(await refusal(admin, 'setTransfersAllowed', false)).toBe(unauthorized);
    expect(await call(other, 'setTransfersAllowed', false)).not.toHaveLength(0);
  });

  test('can cancel the transfer', async () => {
    await call(admin, 'beginDefaultAdminTransfer', other);
    await call(admin, 'cancelDefaultAdminTransfer');
    await advanceDay();
    expect(await refusal(other, 'acceptDefaultAdminTransfer')).toBe('AccessControlInvalidDefaultAdmin');
  });

  test('is one account, which can be neither granted nor revoked', async () => {
    const rules = 'AccessControlEnforcedDefaultAdminRules';
    expect(await refusal(admin, 'grantRole', adminRole, other)).toBe(rules);
    expect(await refusal(admin, 'revokeRole', adminRole, admin)).toBe(rules);
  });

  test('cannot renounce the role in one call', async () => {
    const early = 'AccessControlEnforcedDefaultAdminDelay';
    expect(await refusal(admin, 'renounceRole', adminRole, admin)).toBe(early);
  });
});

describe('royalties (ERC-2981)', () => {
  const price = 10n ** 18n;
  const royalty = async () => {
    const [receiver, amount] = (await read('royaltyInfo', firstId, price)) as [string, bigint];
    return [receiver.toLowerCase(), amount];
  };

  test('are 0 until the admin sets them', async () => {
    expect(await royalty()).toEqual([zeroAddress, 0n]);
    const events = await call(admin, 'setDefaultRoyalty', other, 250n);
    expect(events.map(({ name, args }) => [name, args[1]])).toEqual([['DefaultRoyaltyChanged', 250n]]);
    expect(await royalty()).toEqual([other, price / 40n]);
    await call(admin, 'setDefaultRoyalty', other, 0n);
    expect(await royalty()).toEqual([other, 0n]);
  });

  test('are at most the whole price, and never for the zero address', async () => {
    await call(admin, 'setDefaultRoyalty', other, 10_000n);
    expect(await royalty()).toEqual([other, price]);
    const refused = (receiver: string, points: bigint) =>
      refusal(admin, 'setDefaultRoyalty', receiver, points);
    expect(await refused(other, 10_001n)).toBe('ERC2981InvalidDefaultRoyalty');
    expect(await refused(zeroAddress, 250n)).toBe('ERC2981InvalidDefaultRoyaltyReceiver');
    expect(await royalty()).toEqual([other, price]);
  });
});

describe('wallets and marketplaces read', () => {
  test('the interfaces that the contract supports', async () => {
    const supported = {
      'ERC-165': '0x01ffc9a7',
      'ERC-721': '0x80ac58cd',
      'ERC-721 metadata': '0x5b5e139f',
      'ERC-4906': '0x49064906',
      'ERC-2981': '0x2a55205a',
      'ERC-5192': '0xb45a3c0e',
      'ERC-5313': '0x8da5cb5b',
      'ERC-6982': '0x6b61a747',
      'ERC-7572': '0xe8a3d485',
      'ERC-721C': '0xad0d7f6c',
      'access control': '0x7965db0b',
      'default admin rules': '0x31498786',
      ours: ticketInterfaceId,
    };
    for (const [name, interfaceId] of Object.entries(supported)) {
      expect([name, await read('supportsInterface', interfaceId)]).toEqual([name, true]);
    }
    expect(await read('supportsInterface', '0xffffffff')).toBe(false);
    // ERC-721 Enumerable.
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

  test('the URI of the collection’s metadata, which the admin can change', async () => {
    expect(await read('contractURI')).toBe('https://example.org/show');
    const events = await call(admin, 'setContractURI', 'ipfs://collection');
    expect(events.map(({ name }) => name)).toEqual(['ContractURIUpdated']);
    expect(await read('contractURI')).toBe('ipfs://collection');
  });

  test('which metadata has changed (ERC-4906)', async () => {
    const refreshed = async (from: bigint, to: bigint) => {
      const events = await call(admin, 'refreshMetadata', from, to);
      return events.map(({ name, args }) => [name, ...args]);
    };
    expect(await refreshed(firstId, firstId)).toEqual([['MetadataUpdate', firstId]]);
    expect(await refreshed(firstId, firstId + 4n)).toEqual([['BatchMetadataUpdate', firstId, firstId + 4n]]);
    expect(await refreshed(0n, maximumTokenId)).toEqual([['BatchMetadataUpdate', 0n, maximumTokenId]]);
    expect(await refusal(admin, 'refreshMetadata', 2n, 1n)).toBe('InvalidTokenRange');
  });
});
