import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Contract, MaxUint256, Wallet, ZeroHash } from 'ethers';
import { isTicketCode } from '../../shared/chain/contract-calls.ts';
import { getMinters } from '../../shared/chain/transactions.ts';
import { splitList } from '../../shared/core/schemas.ts';
import {
  addressOfKey,
  connect,
  parseAccountAddress,
  parseChain,
  parseHttpUrl,
  requireArgument,
} from '../contracts/chain.ts';
import { type Deployment, deployTicketContract } from '../contracts/deploy-ticket-contract.ts';
import { metadataCalls } from '../contracts/metadata.ts';

/** Deploys a ticket contract: see docs/contract.md. */
export async function deployContract(args: string[]): Promise<void> {
  const deployment = parseDeployment(args, process.env);
  const onSent = (hash: string) => console.log(`transactionHash: ${hash}`);
  const address = await deployTicketContract({ ...deployment, onSent });
  console.log(`contractAddress: ${address}`);
  console.log(`chainId: ${deployment.chainId}`);
  console.log(`minters: ${deployment.minters.join(', ')}`);
  console.log(`burners: ${(deployment.burners ?? deployment.minters).join(', ')}`);
  if (!deployment.apiUrl && !deployment.baseUri) {
    console.log(
      'Wallets show blank tickets until `npm run ops -- refresh-metadata` sets the URLs of their metadata.',
    );
  }
}

/**
 * Reads a deployment from the command line and the environment.
 * @throws Error in one sentence that names the missing or invalid argument
 */
export function parseDeployment(argv: string[], env: NodeJS.ProcessEnv): Deployment & { chainId: number } {
  const { values } = parseArgs({
    args: argv,
    options: {
      chain: { type: 'string' },
      name: { type: 'string' },
      symbol: { type: 'string' },
      'rpc-url': { type: 'string' },
      'api-url': { type: 'string' },
      minter: { type: 'string', multiple: true },
      burner: { type: 'string', multiple: true },
      admin: { type: 'string' },
      'base-uri': { type: 'string' },
      'contract-uri': { type: 'string' },
      'no-transfers': { type: 'boolean' },
    },
  });
  const chain = parseChain(values, env);
  const deployerKey = requireArgument(env.DEPLOYER_PRIVATE_KEY, 'DEPLOYER_PRIVATE_KEY in the environment');
  // Throws if the key is invalid.
  addressOfKey(deployerKey, 'DEPLOYER_PRIVATE_KEY');
  const apiUrl = values['api-url'] ?? env.API_URL;
  return {
    ...chain,
    deployerKey,
    name: requireArgument(values.name, '--name'),
    symbol: requireArgument(values.symbol, '--symbol'),
    minters:
      values.minter?.map((minter) => parseAccountAddress(minter, '--minter')) ?? configuredMinters(env),
    burners: values.burner?.map((burner) => parseAccountAddress(burner, '--burner')),
    admin: values.admin === undefined ? undefined : parseAccountAddress(values.admin, '--admin'),
    apiUrl: apiUrl ? parseHttpUrl(apiUrl, values['api-url'] ? '--api-url' : 'API_URL') : undefined,
    baseUri: values['base-uri'],
    contractUri: values['contract-uri'],
    transfersAllowed: !values['no-transfers'],
  };
}

/** Returns the addresses of the private keys in MINTER_PRIVATE_KEY. */
function configuredMinters({ MINTER_PRIVATE_KEY = '' }: NodeJS.ProcessEnv): string[] {
  const keys = splitList(MINTER_PRIVATE_KEY);
  requireArgument(keys[0], '--minter, or MINTER_PRIVATE_KEY in the environment');
  return keys.map((key) => addressOfKey(key, 'MINTER_PRIVATE_KEY'));
}

/** Writes the files that verify a contract’s source on a block explorer. */
export async function verifyContract(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      chain: { type: 'string' },
      'rpc-url': { type: 'string' },
      transaction: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const hash = requireArgument(values.transaction, '--transaction, the hash that deploy-contract printed');
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) throw new Error(`--transaction must be a hash, but is ${hash}`);
  const { chainId, rpcUrl } = parseChain(values, process.env);

  // Loaded here, since the compiler's package has 9 MB.
  const { compilerVersion } = await import('../contracts/compile.ts');
  const { buildVerification, contractName } = await import('../contracts/verification.ts');
  const provider = await connect(rpcUrl, chainId);
  const verification = await buildVerification(provider, hash).finally(() => provider.destroy());
  const folder = values.out ?? path.join('dist', 'verification', `${chainId}-${verification.contract}`);
  mkdirSync(folder, { recursive: true });
  const inputFile = path.join(folder, 'standard-input.json');
  const argumentsFile = path.join(folder, 'constructor-arguments.txt');
  writeFileSync(inputFile, JSON.stringify(verification.input, null, 2));
  writeFileSync(argumentsFile, verification.constructorArguments);

  console.log(`address: ${verification.contract}`);
  console.log(`contract name: ${contractName}`);
  console.log(`compiler: ${compilerVersion()}, Solidity (Standard JSON input), licence MIT`);
  console.log(`standard JSON input: ${inputFile}`);
  console.log(`constructor arguments: ${argumentsFile}`);
  for (const [name, value] of Object.entries(verification.decodedArguments))
    console.log(`  ${name}: ${value}`);
}

/** Longer than any supported chain needs to mine a transaction with the usual fee. */
const miningTimeoutMilliseconds = 5 * 60_000;

/** Makes wallets and marketplaces read the metadata of a contract again. */
export async function refreshMetadata(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      chain: { type: 'string' },
      'rpc-url': { type: 'string' },
      contract: { type: 'string' },
      token: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      'api-url': { type: 'string' },
      calldata: { type: 'boolean' },
    },
  });
  const { chainId, rpcUrl } = parseChain(values, process.env);
  const contract = parseAccountAddress(requireArgument(values.contract, '--contract'), '--contract');
  const range = parseRange(values);
  const apiUrl = parseApiUrl(values['api-url']);
  if (range && apiUrl) throw new Error('Give --api-url, which applies to all tokens, or a range, not both');
  // With --calldata the calls are only printed, for an admin that is a multi-signature wallet.
  const adminKey = values.calldata ? undefined : parseAdminKey(process.env);

  const provider = await connect(rpcUrl, chainId);
  try {
    if (!isTicketCode(await provider.getCode(contract)))
      throw new Error(`The contract ${contract} does not have the code of the ticket contract`);
    const calls = metadataCalls({ chainId, contract, apiUrl, range });
    if (adminKey) await sendCalls(new Wallet(adminKey, provider), contract, calls);
    else for (const data of calls) console.log(`to: ${contract}\ndata: ${data}`);
  } finally {
    provider.destroy();
  }
}

function parseAdminKey({ ADMIN_PRIVATE_KEY: key }: NodeJS.ProcessEnv): string {
  const adminKey = requireArgument(
    key,
    'ADMIN_PRIVATE_KEY in the environment, or --calldata to send the call yourself',
  );
  addressOfKey(adminKey, 'ADMIN_PRIVATE_KEY');
  return adminKey;
}

function parseApiUrl(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseHttpUrl(text, '--api-url');
}

function parseRange({ token, from, to }: { token?: string; from?: string; to?: string }) {
  if (token !== undefined) {
    if (from !== undefined || to !== undefined) throw new Error('Give --token, or --from and --to, not both');
    return { from: parseTokenId(token, '--token'), to: parseTokenId(token, '--token') };
  }
  if (from === undefined && to === undefined) return undefined;
  const range = {
    from: parseTokenId(requireArgument(from, '--from'), '--from'),
    to: parseTokenId(requireArgument(to, '--to'), '--to'),
  };
  if (range.to < range.from) throw new Error('--to must not be before --from');
  return range;
}

function parseTokenId(text: string, name: string): bigint {
  const id = /^\d+$/.test(text) ? BigInt(text) : undefined;
  if (id === undefined || id > MaxUint256) throw new Error(`${name} must be a token id, but is ${text}`);
  return id;
}

/**
 * Sends the calls one by one.
 * @throws Error when the wallet isn't the contract's admin, or a call isn't mined in time
 */
async function sendCalls(admin: Wallet, contract: string, calls: string[]): Promise<void> {
  const roles = new Contract(contract, ['function hasRole(bytes32, address) view returns (bool)'], admin);
  if (!(await roles.getFunction('hasRole')(ZeroHash, admin.address))) {
    throw new Error(`${admin.address} is not the contract’s admin`);
  }
  for (const data of calls) {
    const transaction = await admin.sendTransaction({ to: contract, data });
    console.log(`transactionHash: ${transaction.hash}`);
    await transaction.wait(1, miningTimeoutMilliseconds).catch((error) => {
      if (error.code !== 'TIMEOUT') throw error;
      throw new Error(`Transaction ${transaction.hash} is not mined yet`);
    });
  }
}

/**
 * Prints the addresses of the minting accounts. It reads the KMS keys with your AWS credentials. Before an account can
 * mint, the contract must grant it the minter, burner and metadata roles, and it needs coins for gas.
 */
export async function printMinterAddresses(): Promise<void> {
  for (const { address } of await getMinters()) console.log(address);
}
