import { findObservedContract } from '../../catalog/contracts/store.ts';
import { notFound } from '../../core/errors.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { findMintedToken, readTokenSources } from '../store.ts';
import { type TokenMetadata, toCollectionMetadata, tokenStatusOf, toTokenMetadata } from './views.ts';

/**
 * Returns a token's metadata from the current state of its event, or the address of the organizer's own metadata. The
 * organizer's metadata can't show that a ticket is no longer valid, or locked, so it is not used for such a ticket.
 * @throws DomainError 404 for a token that this service did not mint
 */
export async function readTokenMetadata(
  chainId: number,
  contract: string,
  tokenId: string,
): Promise<{ metadata: TokenMetadata } | { location: string }> {
  const token = await findMintedToken(chainId, contract, BigInt(tokenId));
  if (!token) throw notFound('Token');
  const { event, ...otherSources } = await readTokenSources(token);
  const { seatNumber, tokenId: id } = token;
  const sources = {
    ...otherSources,
    event: event?.status === 'DRAFT' ? undefined : event,
    seatNumber,
    tokenId: id,
  };
  const status = tokenStatusOf(sources, Date.now());
  const ownUri = sources.event?.metadataUri;
  if (ownUri && status.isValid && !status.lock) return { location: toWebAddress(ownUri) };
  return { metadata: toTokenMetadata(sources, status, optionalSetting('PUBLIC_URL')) };
}

/**
 * Returns the metadata of a contract on which tickets are minted.
 * @throws DomainError 404 for any other contract
 */
export async function readCollectionMetadata(chainId: number, contract: string) {
  const observedContract = await findObservedContract(chainId, contract);
  if (observedContract?.name === undefined) throw notFound('Collection');
  return toCollectionMetadata(observedContract.name, optionalSetting('PUBLIC_URL'));
}

/** An HTTP gateway to IPFS: HTTP clients can't follow a redirect to ipfs://. */
const ipfsGateway = 'https://ipfs.io/ipfs/';

function toWebAddress(uri: string): string {
  return new URL(uri.replace(/^ipfs:\/\/(?:ipfs\/)?/i, ipfsGateway)).href;
}
