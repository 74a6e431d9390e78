import { existsSync, readFileSync } from 'node:fs';
import { Contract, HDNodeWallet, id, JsonRpcProvider, Network, Wallet } from 'ethers';
import { deployTicketContract } from '../contracts/deploy-ticket-contract.ts';
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
const minterRole = id('MINTER_ROLE');
const plenty = 10_000n * 10n ** 18n;

/**
 * Makes sure the ticket contract is on the chain and each minter has the role and coins to pay with.
 * @param minterKeys private keys, comma separated; none when empty
 * @returns the contract's address
 */
export async function prepareContract(rpcUrl: string, file: string, minterKeys: string): Promise<string> {
  const minters = addresses(minterKeys);
  for (const minter of [deployer.address, ...minters]) await fund(rpcUrl, minter);
  const known = await knownContract(rpcUrl, file);
  if (known) {
    await grant(rpcUrl, known, minters);
    return known;
  }
  const address = await deployTicketContract({
    rpcUrl,
    chainId,
    deployerKey: deployer.privateKey,
    name: 'Boxoffice tickets',
    symbol: 'BOX',
    minters,
  });
  writeWhole(file, JSON.stringify({ address }));
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

/** The address of an earlier start, as long as the chain still has code there. */
async function knownContract(rpcUrl: string, file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const { address } = JSON.parse(readFileSync(file, 'utf8')) as { address: string };
  const code = await rpc<string>(rpcUrl, 'eth_getCode', [address, 'latest']);
  return code === '0x' ? undefined : address;
}

async function grant(rpcUrl: string, address: string, minters: string[]): Promise<void> {
  // A network of our own: ethers' idea of chain 137 asks a gas station on the internet for fees.
  const staticNetwork = new Network('local', chainId);
  const provider = new JsonRpcProvider(rpcUrl, staticNetwork, { staticNetwork, pollingInterval: 200 });
  try {
    const abi = [
      'function hasRole(bytes32, address) view returns (bool)',
      'function grantRole(bytes32, address)',
    ];
    const contract = new Contract(address, abi, deployer.connect(provider));
    for (const minter of minters) {
      if (await contract.getFunction('hasRole')(minterRole, minter)) continue;
      const transaction = await contract.getFunction('grantRole')(minterRole, minter);
      await transaction.wait();
    }
  } finally {
    provider.destroy();
  }
}
