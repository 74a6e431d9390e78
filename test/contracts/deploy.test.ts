import { getAddress, Interface, id, ZeroAddress } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deployTicketContract } from '../../infra/contracts/deploy-ticket-contract.ts';
import artifact from '../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { parseDeployment } from '../../infra/ops/contracts.ts';
import { type Chain, runCommand, startChain } from './chain.ts';

/** Anvil's first two accounts; publicly known. */
const deployerKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const minterKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const stranger = '0x1111111111111111111111111111111111111111';
/** OpenZeppelin's DEFAULT_ADMIN_ROLE. */
const adminRole = `0x${'00'.repeat(32)}`;

const required = ['--chain', '31337', '--name', 'The Show', '--symbol', 'SHOW'];

let chain: Chain;
let deployer: string;
let minter: string;
beforeAll(async () => {
  chain = await startChain();
  [deployer, minter] = chain.accounts.map((account) => getAddress(account)) as [string, string];
}, 60_000);
afterAll(() => chain?.stop());

const read = (address: string, method: string, ...args: unknown[]) =>
  chain.read({ address, interface: new Interface(artifact.abi) }, method, args);

const deployContract = (args: string[], env: NodeJS.ProcessEnv) =>
  runCommand('infra/ops/main.ts', ['deploy-contract', ...args], env);

describe('npm run ops -- deploy-contract', () => {
  test('deploys a contract on which the service may mint, and prints its address', async () => {
    const env = {
      DEPLOYER_PRIVATE_KEY: deployerKey,
      MINTER_PRIVATE_KEY: minterKey,
      CHAIN_31337_RPC_URLS: `,${chain.url},http://127.0.0.1:1`,
    };
    const { code, stdout, stderr } = await deployContract(required, env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    const address = /contractAddress: (0x\w{40})/.exec(stdout)?.[1] ?? '';
    expect(await read(address, 'name')).toBe('The Show');
    expect(await read(address, 'symbol')).toBe('SHOW');
    expect(await read(address, 'transfersAllowed')).toBe(true);
    expect(await read(address, 'hasRole', id('MINTER_ROLE'), minter)).toBe(true);
    expect(await read(address, 'hasRole', id('MINTER_ROLE'), deployer)).toBe(false);
    expect(await read(address, 'hasRole', id('BURNER_ROLE'), minter)).toBe(true);
    expect(await read(address, 'hasRole', adminRole, deployer)).toBe(true);
    expect(await read(address, 'owner')).toBe(deployer);
    expect(stdout).toMatch(/^transactionHash: 0x[0-9a-f]{64}$/m);
    expect(stdout).toContain('Wallets show blank tickets');
  });

  test('sets the URLs at which the service publishes the metadata', async () => {
    const env = { DEPLOYER_PRIVATE_KEY: deployerKey, MINTER_PRIVATE_KEY: minterKey };
    const options = ['--rpc-url', chain.url, '--api-url', 'https://tickets.example/'];
    const { stdout } = await deployContract([...required, ...options], env);
    expect(stdout).not.toContain('Wallets show blank tickets');

    const address = /contractAddress: (0x\w{40})/.exec(stdout)?.[1] ?? '';
    const metadataUrl = `https://tickets.example/api/tokens/31337/${address}`;
    expect(await read(address, 'contractURI')).toBe(metadataUrl);
    const contract = { address, interface: new Interface(artifact.abi) };
    await chain.execute(minter.toLowerCase(), contract, 'mintOrder', [`0x${'11'.repeat(32)}`, minter, 1]);
    // A token's id is 30 bytes of its order's key, and its index in two bytes.
    const tokenId = BigInt(`0x${'11'.repeat(30)}0000`);
    expect(await read(address, 'tokenURI', tokenId)).toBe(`${metadataUrl}/${tokenId}`);
  });

  test('prints an error in one line, without keys', async () => {
    const env = { DEPLOYER_PRIVATE_KEY: id('an account without coins'), MINTER_PRIVATE_KEY: minterKey };
    const { code, stdout, stderr } = await deployContract([...required, '--rpc-url', chain.url], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^insufficient funds.*\n$/);
    expect(stderr).not.toContain(env.DEPLOYER_PRIVATE_KEY.slice(2));
  });
});

describe('parseDeployment', () => {
  const env = { DEPLOYER_PRIVATE_KEY: deployerKey };
  const withRpc = [...required, '--rpc-url', 'http://127.0.0.1:1'];

  test('returns the values of the options', () => {
    const accounts = ['--minter', stranger, '--burner', minter, '--admin', stranger];
    const uris = ['--api-url', 'https://a.example', '--base-uri', 'ipfs://a/', '--contract-uri', 'ipfs://a'];
    expect(parseDeployment([...withRpc, ...accounts, ...uris, '--no-transfers'], env)).toEqual({
      chainId: 31337,
      rpcUrl: 'http://127.0.0.1:1',
      deployerKey,
      name: 'The Show',
      symbol: 'SHOW',
      minters: [stranger],
      burners: [minter],
      admin: stranger,
      apiUrl: 'https://a.example',
      baseUri: 'ipfs://a/',
      contractUri: 'ipfs://a',
      transfersAllowed: false,
    });
  });

  test('makes every signer of the service a minter', () => {
    const keys = { ...env, MINTER_PRIVATE_KEY: `,${minterKey}, ${deployerKey},` };
    expect(parseDeployment(withRpc, keys).minters).toEqual([minter, deployer]);
  });

  test('takes the service’s URL from the environment when there is no --api-url', () => {
    const variables = { ...env, MINTER_PRIVATE_KEY: minterKey, API_URL: 'https://a.example/' };
    expect(parseDeployment(withRpc, variables).apiUrl).toBe('https://a.example');
  });

  test.each([
    ['Give --chain', [], env],
    ['--chain must be the number of a chain', ['--chain', 'polygon'], env],
    ['Give DEPLOYER_PRIVATE_KEY in the environment', withRpc, {}],
    ['DEPLOYER_PRIVATE_KEY is not a private key', withRpc, { DEPLOYER_PRIVATE_KEY: '0xbad' }],
    ['Give --rpc-url, or CHAIN_31337_RPC_URLS in the environment', required, env],
    ['Give --minter, or MINTER_PRIVATE_KEY in the environment', withRpc, env],
    [
      'Give --minter, or MINTER_PRIVATE_KEY in the environment',
      withRpc,
      { ...env, MINTER_PRIVATE_KEY: ' , ' },
    ],
    ['MINTER_PRIVATE_KEY is not a private key', withRpc, { ...env, MINTER_PRIVATE_KEY: `${minterKey},no` }],
    ['--minter must be an address with a valid checksum, but is 0x1', [...withRpc, '--minter', '0x1'], env],
    ['--minter must not be the zero address', [...withRpc, '--minter', ZeroAddress], env],
    [
      '--burner must not be the zero address',
      [...withRpc, '--minter', stranger, '--burner', ZeroAddress],
      env,
    ],
    ['--admin must not be the zero address', [...withRpc, '--minter', stranger, '--admin', ZeroAddress], env],
    [
      '--admin must be an address with a valid checksum, but is ',
      [...withRpc, '--minter', stranger, '--admin', ''],
      env,
    ],
    [
      '--api-url must be an http(s) URL, but is a.example',
      [...withRpc, '--minter', stranger, '--api-url', 'a.example'],
      env,
    ],
  ])('throws "%s"', (message, args, variables) => {
    expect(() => parseDeployment(args, variables)).toThrow(new Error(message));
  });
});

describe('deployTicketContract', () => {
  const deployment = { deployerKey, name: 'T', symbol: 'T', minters: [] };

  test('makes another account the admin', async () => {
    const address = await deployTicketContract({ ...deployment, rpcUrl: chain.url, admin: stranger });
    expect(await read(address, 'hasRole', adminRole, stranger)).toBe(true);
    expect(await read(address, 'hasRole', adminRole, deployer)).toBe(false);
  });

  test('grants the burner role to the minters, unless burners are given', async () => {
    const minters = [minter];
    const withMinters = await deployTicketContract({ ...deployment, rpcUrl: chain.url, minters });
    expect(await read(withMinters, 'hasRole', id('BURNER_ROLE'), minter)).toBe(true);
    const withBurners = await deployTicketContract({
      ...deployment,
      rpcUrl: chain.url,
      minters,
      burners: [stranger],
    });
    expect(await read(withBurners, 'hasRole', id('BURNER_ROLE'), minter)).toBe(false);
    expect(await read(withBurners, 'hasRole', id('BURNER_ROLE'), stranger)).toBe(true);
  });

  test('refuses an endpoint of another chain', async () => {
    const deploying = deployTicketContract({ ...deployment, rpcUrl: chain.url, chainId: 137 });
    await expect(deploying).rejects.toThrow('The RPC endpoint serves chain 31337, not 137');
  });

  test('fails immediately when the endpoint does not answer', async () => {
    const deploying = deployTicketContract({ ...deployment, rpcUrl: 'http://127.0.0.1:1' });
    await expect(deploying).rejects.toThrow('The RPC endpoint does not respond: ECONNREFUSED');
  });
});
