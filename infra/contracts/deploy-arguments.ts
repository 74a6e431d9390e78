import { parseArgs } from 'node:util';
import { getAddress, Wallet } from 'ethers';
import type { Deployment } from './deploy-ticket-contract.ts';

export const usage =
  'npm run deploy-contract -- --chain <id> --name <name> --symbol <symbol> [--rpc-url <url>] ' +
  '[--minter <address>]... [--admin <address>] [--base-uri <uri>] [--no-transfers]';

/**
 * What to deploy, from the command line and the environment.
 * @throws Error whose message tells, in one sentence, what to give.
 */
export function deploymentFrom(argv: string[], env: NodeJS.ProcessEnv): Deployment & { chainId: number } {
  const { values } = parseArgs({
    args: argv,
    options: {
      chain: { type: 'string' },
      name: { type: 'string' },
      symbol: { type: 'string' },
      'rpc-url': { type: 'string' },
      minter: { type: 'string', multiple: true },
      admin: { type: 'string' },
      'base-uri': { type: 'string' },
      'no-transfers': { type: 'boolean' },
    },
  });
  const chainId = Number(given(values.chain, '--chain'));
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new Error('--chain must be the number of a chain');

  const variable = `CHAIN_${chainId}_RPC_URLS`;
  const [rpcUrl] = (values['rpc-url'] ?? env[variable] ?? '').split(',').map((url) => url.trim());
  const deployerKey = given(env.DEPLOYER_PRIVATE_KEY, 'DEPLOYER_PRIVATE_KEY in the environment');
  keyAddress(deployerKey, 'DEPLOYER_PRIVATE_KEY');
  return {
    chainId,
    rpcUrl: given(rpcUrl, `--rpc-url, or ${variable} in the environment`),
    deployerKey,
    name: given(values.name, '--name'),
    symbol: given(values.symbol, '--symbol'),
    minters: values.minter?.map((minter) => address(minter, '--minter')) ?? configuredMinters(env),
    admin: values.admin && address(values.admin, '--admin'),
    baseUri: values['base-uri'],
    transfersAllowed: !values['no-transfers'],
  };
}

/** The service's own signers. */
function configuredMinters({ MINTER_PRIVATE_KEY: keys }: NodeJS.ProcessEnv): string[] {
  return given(keys, '--minter, or MINTER_PRIVATE_KEY in the environment')
    .split(',')
    .map((key) => keyAddress(key.trim(), 'MINTER_PRIVATE_KEY'));
}

function given(value: string | undefined, name: string): string {
  if (!value) throw new Error(`Give ${name}`);
  return value;
}

function address(text: string, name: string): string {
  try {
    return getAddress(text);
  } catch {
    throw new Error(`${name} must be an address, and its checksum right, but is ${text}`);
  }
}

function keyAddress(key: string, name: string): string {
  try {
    return new Wallet(key).address;
  } catch {
    throw new Error(`${name} is not a private key`);
  }
}
