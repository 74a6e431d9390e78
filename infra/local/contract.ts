import { existsSync, readFileSync } from 'node:fs';
import { Contract, HDNodeWallet, id, JsonRpcProvider, Network, Wallet } from 'ethers';
import { releaseOf } from '../../shared/chain/release.ts';
import type { Release } from '../../shared/chain/releases.ts';
import { deployTicketContract } from '../contracts/deploy-ticket-contract.ts';
import { metadataCalls } from '../contracts/metadata-calls.ts';
import { chainId } from './chain.ts';
import { writeWhole } from './files.ts';
import { rpc } from './rpc.ts';
import { StartError } from './start-error.ts';

/** Anvil's publicly known phrase: its accounts are rich on every development chain, and on none that matters. */
const phrase = 'test test test test test test test test test test test junk';

export function developmentWallet(index: number): HDNodeWallet {
  return HDNodeWallet.fromPhrase(phrase, undefined, `m/44'/60'/0'/0/${index}`);
}

const deployer = developmentWallet(0);
const plenty = 10_000n * 10n ** 18n;

/** The file that remembers the contract between starts. */
interface KnownContract {
  address: string;
  /** The address that its metadata URLs begin with. */
  apiUrl?: string;
}

/**
 * Makes sure the ticket contract is on the chain, that its metadata is this stack's, and that each minter has the
 * roles and coins to pay with.
 * @param file remembers the contract between starts
 * @param minterKeys private keys, comma separated; none when empty
 * @param apiUrl the stack's own address; without it the metadata stays as it is
 * @returns the contract's address
 */
export async function prepareContract(
  rpcUrl: string,
  file: string,
  minterKeys: string,
  apiUrl?: string,
): Promise<string> {
  const minters = addresses(minterKeys);
  for (const minter of [deployer.address, ...minters]) await fund(rpcUrl, minter);
  const known = readKnown(file);
  const release = known && releaseOf(await rpc<string>(rpcUrl, 'eth_getCode', [known.address, 'latest']));
  if (known && release) {
    await grant(rpcUrl, known.address, release, minters);
    if (apiUrl && known.apiUrl !== apiUrl) {
      await moveMetadata(rpcUrl, known.address, release, apiUrl);
      writeWhole(file, JSON.stringify({ address: known.address, apiUrl }));
    }
    return known.address;
  }
  const address = await deployTicketContract({
    rpcUrl,
    chainId,
    deployerKey: deployer.privateKey,
    name: 'Boxoffice tickets',
    symbol: 'BOX',
    minters,
    apiUrl,
  });
  writeWhole(file, JSON.stringify({ address, apiUrl }));
  return address;
}

function addresses(keys: string): string[] {
  const list = keys.split(',').map((key) => key.trim());
  try {
    return list.filter(Boolean).map((key) => new Wallet(key).address);
  } catch {
    throw new StartError('MINTER_PRIVATE_KEY holds something that is no private key.');
  }
}

async function fund(rpcUrl: string, address: string): Promise<void> {
  const balance = BigInt(await rpc<string>(rpcUrl, 'eth_getBalance', [address, 'latest']));
  if (balance < plenty / 10n) {
    await rpc(rpcUrl, 'anvil_setBalance', [address, `0x${plenty.toString(16)}`]);
  }
}

function readKnown(file: string): KnownContract | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Releases without a burner role let minters burn. */
async function grant(rpcUrl: string, address: string, release: Release, minters: string[]): Promise<void> {
  const roles = release.capabilities.burnerRole ? ['MINTER_ROLE', 'BURNER_ROLE'] : ['MINTER_ROLE'];
  await asAdmin(rpcUrl, async (admin) => {
    const abi = [
      'function hasRole(bytes32, address) view returns (bool)',
      'function grantRole(bytes32, address)',
    ];
    const contract = new Contract(address, abi, admin);
    for (const role of roles.map(id)) {
      for (const minter of minters) {
        if (await contract.getFunction('hasRole')(role, minter)) continue;
        const transaction = await contract.getFunction('grantRole')(role, minter);
        await transaction.wait();
      }
    }
  });
}

/** The stack's address changes with its port. */
async function moveMetadata(
  rpcUrl: string,
  address: string,
  release: Release,
  apiUrl: string,
): Promise<void> {
  await asAdmin(rpcUrl, async (admin) => {
    for (const data of metadataCalls(release, { chainId, contract: address, apiUrl })) {
      await (await admin.sendTransaction({ to: address, data })).wait();
    }
  });
}

async function asAdmin(rpcUrl: string, act: (admin: HDNodeWallet) => Promise<void>): Promise<void> {
  // A network of our own: ethers' idea of chain 137 asks a gas station on the internet for fees.
  const staticNetwork = new Network('local', chainId);
  // Consecutive transactions need the nonce of now, which ethers would keep for a quarter of a second.
  const options = { staticNetwork, pollingInterval: 200, cacheTimeout: -1 };
  const provider = new JsonRpcProvider(rpcUrl, staticNetwork, options);
  try {
    await act(deployer.connect(provider));
  } finally {
    provider.destroy();
  }
}
