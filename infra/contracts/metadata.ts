import { Interface, MaxUint256 } from 'ethers';
import artifact from './ticket-contract.json' with { type: 'json' };

/** URLs at which the service publishes the metadata of a contract's tickets. */
export interface MetadataUrls {
  /** The prefix of each token's URI, before the token id. */
  baseUri: string;
  /** The URL of the collection's metadata. */
  contractUri: string;
}

/** @param apiUrl the service's public address, without a final slash */
export function metadataUrls(apiUrl: string, chainId: number, contract: string): MetadataUrls {
  const contractUri = `${apiUrl}/api/tokens/${chainId}/${contract}`;
  return { baseUri: `${contractUri}/`, contractUri };
}

/** A change of a contract's metadata. */
export interface MetadataChange {
  chainId: number;
  /** The contract's address. */
  contract: string;
  /** The service's public address, which sets the metadata's URLs. */
  apiUrl?: string;
  /** The ids whose metadata changed; all tokens when undefined. */
  range?: { from: bigint; to: bigint };
}

const tickets = new Interface(artifact.abi);

/**
 * Encodes the calls by which a contract's admin makes wallets and marketplaces read metadata again. They emit the event
 * of ERC-4906 and, when the URLs change, that of ERC-7572.
 * @returns the calldata of each call, hex
 */
export function metadataCalls({ chainId, contract, apiUrl, range }: MetadataChange): string[] {
  if (apiUrl) {
    const { baseUri, contractUri } = metadataUrls(apiUrl, chainId, contract);
    return [
      tickets.encodeFunctionData('setBaseTokenURI', [baseUri]),
      tickets.encodeFunctionData('setContractURI', [contractUri]),
    ];
  }
  const { from, to } = range ?? { from: 0n, to: MaxUint256 };
  return [tickets.encodeFunctionData('refreshMetadata', [from, to])];
}
