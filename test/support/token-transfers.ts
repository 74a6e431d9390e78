import { Contract, type HDNodeWallet, JsonRpcProvider, Network, Wallet } from 'ethers';
import { sharedStack } from './stack.ts';
import type { Node } from './wallet.ts';

const abi = ['function transferFrom(address from, address to, uint256 tokenId)'];

/** The contract and id of a token, as in the API. */
export interface TokenReference {
  contractAddress: string;
  tokenId: string;
}

/** Creates a wallet with a random key. */
export function createWallet(): HDNodeWallet {
  return Wallet.createRandom();
}

/** Sends a token, and waits until the transaction is `depth` blocks deep (1: in the latest block). */
export async function sendToken(
  from: Wallet | HDNodeWallet,
  to: string,
  { contractAddress, tokenId }: TokenReference,
  depth = 1,
  { chainRpcUrl, chainId }: Node = sharedStack(),
): Promise<void> {
  const network = new Network('local', chainId);
  const options = { staticNetwork: network, cacheTimeout: -1, pollingInterval: 100 };
  const provider = new JsonRpcProvider(chainRpcUrl, network, options);
  try {
    await provider.send('anvil_setBalance', [from.address, '0xde0b6b3a7640000']);
    const contract = new Contract(contractAddress, abi, from.connect(provider));
    const sent = await contract.getFunction('transferFrom')(from.address, to, tokenId);
    await sent.wait(depth, 30_000);
  } finally {
    provider.destroy();
  }
}
