import { Interface, MaxUint256 } from 'ethers';
import type { Release } from '../../shared/chain/releases.ts';
import { metadataUrls } from './metadata-urls.ts';
import artifact from './ticket-contract.json' with { type: 'json' };

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
 * of ERC-4906 and, in releases that support it, that of ERC-7572.
 * @returns the calldata of each call, hex
 * @throws Error when the release does not support the change
 */
export function metadataCalls({ capabilities, version }: Release, change: MetadataChange): string[] {
  const { chainId, contract, apiUrl, range } = change;
  if (apiUrl) {
    const { baseUri, contractUri } = metadataUrls(apiUrl, chainId, contract);
    const base = tickets.encodeFunctionData('setBaseTokenURI', [baseUri]);
    if (!capabilities.contractUri) return [base];
    return [base, tickets.encodeFunctionData('setContractURI', [contractUri])];
  }
  if (!capabilities.metadataRefresh) {
    throw new Error(
      `The contract is of release ${version}, which can announce changed metadata only with --api-url`,
    );
  }
  const { from, to } = range ?? { from: 0n, to: MaxUint256 };
  return [tickets.encodeFunctionData('refreshMetadata', [from, to])];
}
