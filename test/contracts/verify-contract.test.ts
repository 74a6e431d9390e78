import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContractFactory, id, JsonRpcProvider, Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileContracts } from '../../infra/contracts/compile.ts';
import artifact from '../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { type Chain, runCommand, startChain } from './chain.ts';

/** Anvil's first account; publicly known. */
const deployerKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const solc = createRequire(import.meta.url)('solc');

let chain: Chain;
let provider: JsonRpcProvider;
let folder: string;
beforeAll(async () => {
  chain = await startChain();
  provider = new JsonRpcProvider(chain.url, 31337, { staticNetwork: true, cacheTimeout: -1 });
  folder = mkdtempSync(path.join(tmpdir(), 'verification-'));
}, 60_000);
afterAll(async () => {
  provider?.destroy();
  if (folder) rmSync(folder, { recursive: true });
  await chain?.stop();
});

async function deploy({ abi, bytecode }: { abi: object[]; bytecode: string }, args: unknown[]) {
  const factory = new ContractFactory(abi as never, bytecode, new Wallet(deployerKey, provider));
  const contract = await factory.deploy(...args);
  await contract.waitForDeployment();
  const transaction = contract.deploymentTransaction();
  return { hash: transaction?.hash ?? '', data: transaction?.data, address: await contract.getAddress() };
}

const verify = (hash: string) =>
  runCommand(
    'infra/ops/main.ts',
    ['verify-contract', '--chain', '31337', '--rpc-url', chain.url, '--transaction', hash, '--out', folder],
    {},
  );

describe('npm run ops -- verify-contract', () => {
  test('writes the compiler input that reproduces a deployed contract', async () => {
    const [admin = ''] = chain.accounts;
    const { hash, data, address } = await deploy(artifact, [
      'The Show',
      'SHOW',
      'ipfs://x/',
      true,
      admin,
      [admin],
      [admin],
      'ipfs://y',
    ]);
    const { code, stdout, stderr } = await verify(hash);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`address: ${address}\n`);
    expect(stdout).toContain('contract name: infra/contracts/BoxofficeTickets.sol:BoxofficeTickets\n');
    expect(stdout).toMatch(/compiler: v0\.8\.37\+commit\.[0-9a-f]{8},/);
    expect(stdout).toContain('name_: The Show\n');

    // Compiles as an explorer does, from the file only.
    const output = JSON.parse(solc.compile(readFileSync(path.join(folder, 'standard-input.json'), 'utf8')));
    const { evm } = output.contracts['infra/contracts/BoxofficeTickets.sol'].BoxofficeTickets;
    const constructorArguments = readFileSync(path.join(folder, 'constructor-arguments.txt'), 'utf8');
    expect(`0x${evm.bytecode.object}${constructorArguments}`).toBe(data);
  });

  test('refuses a transaction that deployed no ticket contract', async () => {
    const { PlainTickets } = compileContracts(['test/contracts/PlainTickets.sol'], ['PlainTickets']);
    const { hash, address } = await deploy(PlainTickets, []);
    expect(await verify(hash)).toEqual({
      code: 1,
      stdout: '',
      stderr: `The contract ${address} does not have the code of the ticket contract\n`,
    });
    const wallet = new Wallet(deployerKey, provider);
    const payment = await wallet.sendTransaction({ to: chain.accounts[1], value: 1n });
    await payment.wait();
    expect((await verify(payment.hash)).stderr).toBe(`Transaction ${payment.hash} deployed no contract\n`);
  });

  test('refuses an unknown transaction and an invalid hash', async () => {
    const hash = id('no transaction');
    expect((await verify(hash)).stderr).toBe(`Transaction ${hash} is not mined on this chain\n`);
    expect((await verify('0x12')).stderr).toBe('--transaction must be a hash, but is 0x12\n');
  });
});
