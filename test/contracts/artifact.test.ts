import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getBytes, Interface } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileContracts, describeCode, generateFiles } from '../../infra/contracts/compile.ts';
import artifact from '../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { computeCodeHash, isTicketCode } from '../../shared/chain/contract-calls.ts';
import { ticketInterfaceId } from '../../shared/chain/ticket-contract.ts';
import { type Chain, startChain } from './chain.ts';

test('the committed files match the compiled contract (else: npm run compile-contract)', () => {
  const stale = generateFiles().filter(({ file, content }) => readFileSync(file, 'utf8') !== content);
  expect(stale.map(({ file }) => path.basename(file))).toEqual([]);
});

let chain: Chain;
let admin: string;
let minter: string;
beforeAll(async () => {
  chain = await startChain();
  [admin, minter] = chain.accounts as [string, string];
}, 60_000);
afterAll(() => chain?.stop());

describe('isTicketCode', () => {
  test.each([
    ['short arguments', ['A', 'A', '', true, 'admin', []]],
    [
      'long arguments',
      ['A collection with a long name, for once', 'LONG', 'ipfs://x/', false, 'minter', ['minter', 'admin']],
    ],
  ])('recognises deployed contracts with %s', async (_, template) => {
    const account = (name: unknown) => (name === 'admin' ? admin : name === 'minter' ? minter : name);
    const args = template.map((value) => (Array.isArray(value) ? value.map(account) : account(value)));
    // The burners here are the minters.
    const { address } = await chain.deploy(admin, artifact, [...args, args[5], 'https://example.org']);
    expect(isTicketCode(await chain.code(address))).toBe(true);
  });

  test('does not recognise another contract, or an account', async () => {
    const { PlainTickets } = compileContracts(['test/contracts/PlainTickets.sol'], ['PlainTickets']);
    const { address } = await chain.deploy(admin, PlainTickets, []);
    expect(isTicketCode(await chain.code(address))).toBe(false);
    expect(isTicketCode(await chain.code(minter))).toBe(false);
  });

  test('does not recognise a contract that extends the ticket contract', async () => {
    const { ExtendedTickets } = compileContracts(['test/contracts/ExtendedTickets.sol'], ['ExtendedTickets']);
    const { address } = await chain.deploy(admin, ExtendedTickets, [admin]);
    expect(isTicketCode(await chain.code(address))).toBe(false);
  });

  test('does not recognise a proxy of a ticket contract', async () => {
    const args = ['A', 'A', '', true, admin, [minter], [minter], ''];
    const { address } = await chain.deploy(admin, artifact, args);
    // EIP-1167: ten bytes of init code, which return the runtime. The runtime delegates every call to the address.
    const runtime = `363d3d373d3d3d363d73${address.slice(2)}5af43d82803e903d91602b57fd5bf3`;
    const proxy = await chain.deploy(admin, { abi: [], bytecode: `0x3d602d80600a3d3981f3${runtime}` }, []);
    const tickets = { ...proxy, interface: new Interface(artifact.abi) };
    expect(await chain.read(tickets, 'supportsInterface', [ticketInterfaceId])).toBe(true);
    expect(isTicketCode(await chain.code(proxy.address))).toBe(false);
  });
});

test('the description of a contract with immutables does not depend on their values', async () => {
  const { Erc721aTickets } = compileContracts(['test/contracts/Erc721aTickets.sol'], ['Erc721aTickets']);
  const record = describeCode(Erc721aTickets);
  const deployed = await chain.deploy(minter, Erc721aTickets, []);
  const code = getBytes(await chain.code(deployed.address));
  expect(code).not.toEqual(getBytes(Erc721aTickets.deployedBytecode));
  expect(record.masked.length).toBeGreaterThan(1);
  expect(computeCodeHash(code, record.masked)).toBe(record.codeHash);
});
