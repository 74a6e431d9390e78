import { getAddress, type LogDescription } from 'ethers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import artifact from '../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { type Chain, type DeployedContract, runCommand, startChain } from './chain.ts';

/** Anvil's first two accounts; publicly known. */
const adminKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const minterKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const maximumTokenId = 2n ** 256n - 1n;

let chain: Chain;
let admin: string;
let minter: string;
let tickets: DeployedContract;
beforeAll(async () => {
  chain = await startChain();
  [admin, minter] = chain.accounts as [string, string];
}, 60_000);
beforeEach(async () => {
  tickets = await chain.deploy(admin, artifact, ['T', 'T', '', true, admin, [minter], [minter], '']);
});
afterAll(() => chain?.stop());

const refresh = (options: string[], env: NodeJS.ProcessEnv = { ADMIN_PRIVATE_KEY: adminKey }) =>
  runCommand(
    'infra/ops/main.ts',
    [
      'refresh-metadata',
      '--chain',
      '31337',
      '--rpc-url',
      chain.url,
      '--contract',
      tickets.address,
      ...options,
    ],
    env,
  );

/** Reads the contract's events in the transactions that a command has printed. */
async function readEvents(stdout: string) {
  const hashes = [...stdout.matchAll(/^transactionHash: (0x[0-9a-f]{64})$/gm)].map(([, hash]) => hash);
  const events: [string, ...unknown[]][] = [];
  for (const hash of hashes) {
    const logs = await chain.logs(hash as string);
    const parsed = logs.map((log) => tickets.interface.parseLog(log) as LogDescription);
    events.push(...parsed.map(({ name, args }): [string, ...unknown[]] => [name, ...args]));
  }
  return events;
}

describe('npm run ops -- refresh-metadata', () => {
  test.each([
    ['all tokens', [], [['BatchMetadataUpdate', 0n, maximumTokenId]]],
    ['one token', ['--token', '7'], [['MetadataUpdate', 7n]]],
    ['a range', ['--from', '7', '--to', '9'], [['BatchMetadataUpdate', 7n, 9n]]],
  ])('announces that the metadata of %s has changed', async (_, options, events) => {
    const { code, stdout, stderr } = await refresh(options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readEvents(stdout)).toEqual(events);
  });

  test('sets the URLs of the metadata', async () => {
    const { stdout, stderr } = await refresh(['--api-url', 'https://tickets.example/']);
    expect(stderr).toBe('');
    expect(await readEvents(stdout)).toEqual([
      ['BatchMetadataUpdate', 0n, maximumTokenId],
      ['ContractURIUpdated'],
    ]);
    const metadataUrl = `https://tickets.example/api/tokens/31337/${getAddress(tickets.address)}`;
    expect(await chain.read(tickets, 'contractURI', [])).toBe(metadataUrl);
    await chain.execute(minter, tickets, 'mintOrder', [`0x${'11'.repeat(32)}`, minter, 1]);
    const tokenId = BigInt(`0x${'11'.repeat(30)}0000`);
    expect(await chain.read(tickets, 'tokenURI', [tokenId])).toBe(`${metadataUrl}/${tokenId}`);
  });

  test('prints the call for a multi-signature wallet, and sends nothing', async () => {
    const { stdout, stderr } = await refresh(['--token', '7', '--calldata'], {});
    expect(stderr).toBe('');
    const [, to, data] = /^to: (0x\w{40})\ndata: (0x[0-9a-f]+)\n$/.exec(stdout) as RegExpExecArray;
    expect(to?.toLowerCase()).toBe(tickets.address.toLowerCase());
    const call = tickets.interface.parseTransaction({ data: data as string });
    expect([call?.name, ...(call?.args ?? [])]).toEqual(['refreshMetadata', 7n, 7n]);
  });

  test.each([
    ['Give ADMIN_PRIVATE_KEY in the environment, or --calldata to send the call yourself', [], {}],
    ['ADMIN_PRIVATE_KEY is not a private key', [], { ADMIN_PRIVATE_KEY: '0xbad' }],
    ['Give --to', ['--from', '1'], undefined],
    ['--to must not be before --from', ['--from', '2', '--to', '1'], undefined],
    ['--token must be a token id, but is 0x1', ['--token', '0x1'], undefined],
    ['Give --token, or --from and --to, not both', ['--token', '1', '--to', '1'], undefined],
    [
      'Give --api-url, which applies to all tokens, or a range, not both',
      ['--token', '1', '--api-url', 'https://x.example'],
      undefined,
    ],
    ['--api-url must be an http(s) URL, but is ftp://x', ['--api-url', 'ftp://x'], undefined],
    ['--api-url must be an http(s) URL, but is ', ['--api-url', ''], undefined],
  ])('fails with "%s"', async (message, options, env) => {
    expect(await refresh(options, env)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${message}\n`,
    });
  });

  test('refuses an account that is not the admin, and an address without a ticket contract', async () => {
    const refused = await refresh([], { ADMIN_PRIVATE_KEY: minterKey });
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `${getAddress(minter)} is not the contract’s admin\n`,
    });
    tickets = { ...tickets, address: minter };
    expect((await refresh([])).stderr).toMatch(
      /^The contract 0x\w{40} does not have the code of the ticket contract\n$/,
    );
  });
});
