import { getBytes, Interface } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { releaseRecord } from '../../infra/contracts/release-record.ts';
import release1Input from '../../infra/contracts/releases/1.input.json' with { type: 'json' };
import release1 from '../../infra/contracts/releases/1.json' with { type: 'json' };
import { compileContracts, compileInput } from '../../infra/contracts/solc.ts';
import release2 from '../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { computeCodeHash } from '../../shared/chain/code-hash.ts';
import { findRelease } from '../../shared/chain/release.ts';
import { ticketInterfaceId } from '../../shared/chain/ticket-contract.ts';
import { type Chain, startChain } from './chain.ts';

let chain: Chain;
let admin: string;
let minter: string;
beforeAll(async () => {
  chain = await startChain();
  [admin, minter] = chain.accounts as [string, string];
}, 60_000);
afterAll(() => chain?.stop());

const deployAndFindRelease = async (compiled: typeof release1 | typeof release2, args: unknown[]) => {
  const { address } = await chain.deploy(admin, compiled, args);
  return findRelease(await chain.code(address))?.version;
};

describe('findRelease', () => {
  test.each([
    ['short arguments', ['A', 'A', '', true, 'admin', []]],
    [
      'long arguments',
      ['A collection with a long name, for once', 'LONG', 'ipfs://x/', false, 'minter', ['minter', 'admin']],
    ],
  ])('recognises deployed contracts of both releases with %s', async (_, template) => {
    const account = (name: unknown) => (name === 'admin' ? admin : name === 'minter' ? minter : name);
    const args = template.map((value) => (Array.isArray(value) ? value.map(account) : account(value)));
    expect(await deployAndFindRelease(release1, args)).toBe(1);
    // Release 2 has two more arguments, the burners and the contract's URI. The burners here are the minters.
    const minters = args[5];
    expect(await deployAndFindRelease(release2, [...args, minters, 'https://example.org'])).toBe(2);
  });

  test('does not recognise another contract, or an account', async () => {
    const { PlainTickets } = compileContracts(['test/contracts/PlainTickets.sol'], ['PlainTickets']);
    const { address } = await chain.deploy(admin, PlainTickets, []);
    expect(findRelease(await chain.code(address))).toBeUndefined();
    expect(findRelease(await chain.code(minter))).toBeUndefined();
  });

  test('does not recognise a contract that extends the ticket contract', async () => {
    const { ExtendedTickets } = compileContracts(['test/contracts/ExtendedTickets.sol'], ['ExtendedTickets']);
    const { address } = await chain.deploy(admin, ExtendedTickets, [admin]);
    expect(findRelease(await chain.code(address))).toBeUndefined();
  });

  test('does not recognise a proxy of a ticket contract', async () => {
    const args = ['A', 'A', '', true, admin, [minter], [minter], ''];
    const { address } = await chain.deploy(admin, release2, args);
    // EIP-1167: ten bytes of init code, which return the runtime. The runtime delegates every call to the address.
    const runtime = `363d3d373d3d3d363d73${address.slice(2)}5af43d82803e903d91602b57fd5bf3`;
    const proxy = await chain.deploy(admin, { abi: [], bytecode: `0x3d602d80600a3d3981f3${runtime}` }, []);
    const tickets = { ...proxy, interface: new Interface(release2.abi) };
    expect(await chain.read(tickets, 'supportsInterface', [ticketInterfaceId])).toBe(true);
    expect(findRelease(await chain.code(proxy.address))).toBeUndefined();
  });
});

test('the release record of a contract with immutables does not depend on their values', async () => {
  const { Erc721aTickets } = compileContracts(['test/contracts/Erc721aTickets.sol'], ['Erc721aTickets']);
  const record = releaseRecord(1, { ...Erc721aTickets, interfaceId: '0x00000000' });
  const deployed = await chain.deploy(minter, Erc721aTickets, []);
  const code = getBytes(await chain.code(deployed.address));
  expect(code).not.toEqual(getBytes(Erc721aTickets.deployedBytecode));
  expect(record.masked.length).toBeGreaterThan(1);
  expect(computeCodeHash(code, record.masked)).toBe(record.codeHash);
});

test('the archived compiler input of release 1 compiles to its artifact', () => {
  const { BoxofficeTickets } = compileInput(release1Input, ['BoxofficeTickets']);
  const { abi, bytecode, deployedBytecode, immutableReferences } = BoxofficeTickets;
  const { interfaceId, ...artifact } = release1;
  expect({ abi, bytecode, deployedBytecode, immutableReferences }).toEqual(artifact);
  expect(interfaceId).toBe('0xcc75e026');
});
