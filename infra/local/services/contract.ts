import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Contract, HDNodeWallet, id, JsonRpcProvider, Network, Wallet } from 'ethers';
import { isTicketCode } from '../../../shared/chain/contract-calls.ts';
import { splitList } from '../../../shared/core/schemas.ts';
import { deployTicketContract } from '../../contracts/deploy-ticket-contract.ts';
import { metadataCalls } from '../../contracts/metadata.ts';
import { chainId, rpc } from './chain.ts';
import { StartError } from './process.ts';

/** The public default mnemonic of Anvil, the local EVM node. Its accounts hold coins on development chains only. */
const mnemonic = 'test test test test test test test test test test test junk';

export function developmentWallet(index: number): HDNodeWallet {
  return HDNodeWallet.fromPhrase(mnemonic, undefined, `m/44'/60'/0'/0/${index}`);
}

const deployer = developmentWallet(0);
/** 10,000 coins, in wei. */
const initialBalance = 10_000n * 10n ** 18n;

/** The content of the file that stores the deployed contract between starts. */
interface StoredContract {
  address: string;
  /** The API address that the contract's metadata URLs start with. */
  apiUrl?: string;
}

/**
 * Deploys the ticket contract unless an earlier start has deployed it. Sets its metadata URLs to this stack's API,
 * grants the roles to each minter, and gives each minter coins for gas.
 * @param file JSON file that stores the contract between starts
 * @param minterKeys the minters' private keys, separated by commas; may be empty
 * @param apiUrl the API's base URL; without it the metadata URLs of an existing contract stay unchanged
 * @returns the contract's address
 */
export async function prepareContract(
  rpcUrl: string,
  file: string,
  minterKeys: string,
  apiUrl?: string,
): Promise<string> {
  const minters = toAddresses(minterKeys);
  for (const sender of [deployer.address, ...minters]) await fundAccount(rpcUrl, sender);
  const stored = readStored(file);
  if (stored && isTicketCode(await rpc<string>(rpcUrl, 'eth_getCode', [stored.address, 'latest']))) {
    await grantRoles(rpcUrl, stored.address, minters);
    if (apiUrl && stored.apiUrl !== apiUrl) {
      await setMetadataUrls(rpcUrl, stored.address, apiUrl);
      writeFileSync(file, JSON.stringify({ address: stored.address, apiUrl }));
    }
    return stored.address;
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
  writeFileSync(file, JSON.stringify({ address, apiUrl }));
  return address;
}

function toAddresses(keys: string): string[] {
  try {
    return splitList(keys).map((key) => new Wallet(key).address);
  } catch {
    throw new StartError('MINTER_PRIVATE_KEY contains an invalid private key.');
  }
}

/** Sets the balance of an account to 10,000 coins when less than a tenth of that is left. */
async function fundAccount(rpcUrl: string, address: string): Promise<void> {
  const balance = BigInt(await rpc<string>(rpcUrl, 'eth_getBalance', [address, 'latest']));
  if (balance < initialBalance / 10n) {
    await rpc(rpcUrl, 'anvil_setBalance', [address, `0x${initialBalance.toString(16)}`]);
  }
}

function readStored(file: string): StoredContract | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Grants the minters the roles that the service needs. */
async function grantRoles(rpcUrl: string, address: string, minters: string[]): Promise<void> {
  await withAdmin(rpcUrl, async (admin) => {
    const abi = [
      'function hasRole(bytes32, address) view returns (bool)',
      'function grantRole(bytes32, address)',
    ];
    const contract = new Contract(address, abi, admin);
    for (const role of ['MINTER_ROLE', 'BURNER_ROLE', 'METADATA_ROLE'].map(id)) {
      for (const minter of minters) {
        if (await contract.getFunction('hasRole')(role, minter)) continue;
        const transaction = await contract.getFunction('grantRole')(role, minter);
        await transaction.wait();
      }
    }
  });
}

/** Updates the contract's metadata URLs. They contain the API's port, which can change between starts. */
async function setMetadataUrls(rpcUrl: string, address: string, apiUrl: string): Promise<void> {
  await withAdmin(rpcUrl, async (admin) => {
    for (const data of metadataCalls({ chainId, contract: address, apiUrl })) {
      await (await admin.sendTransaction({ to: address, data })).wait();
    }
  });
}

/** Calls `act` with the contract's admin, the account that deployed the contract. */
async function withAdmin(rpcUrl: string, act: (admin: HDNodeWallet) => Promise<void>): Promise<void> {
  // A custom network, since ethers' built-in network for chain id 137 queries a gas-price server on the internet.
  const staticNetwork = new Network('local', chainId);
  // No cache, since ethers caches the nonce for 250 ms by default, and the next transaction would use the same nonce.
  const options = { staticNetwork, pollingInterval: 200, cacheTimeout: -1 };
  const provider = new JsonRpcProvider(rpcUrl, staticNetwork, options);
  try {
    await act(deployer.connect(provider));
  } finally {
    provider.destroy();
  }
}
