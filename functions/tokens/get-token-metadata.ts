import { metadataCaching } from '../../shared/http/cache.ts';
import { endpoint, Redirect, Reply } from '../../shared/http/endpoint.ts';
import { readTokenMetadata } from '../../shared/tickets/metadata/read-metadata.ts';
import { tokenMetadata, tokenPath } from '../../shared/tickets/metadata/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/tokens/{chainId}/{contract}/{tokenId}',
    summary: 'Get the metadata of a token',
    description:
      'ERC-721 metadata for wallets and marketplaces. The contract’s `tokenURI` returns this URL. The metadata changes with the event. The trait `Status` says whether the ticket is valid for entry.',
    caller: 'anyone',
    path: tokenPath,
    response: tokenMetadata,
    redirect: 'The event has a `metadataUri` of its own, and the ticket is valid',
    errors: ['token-not-found'],
    table: ['GetItem', 'BatchGetItem'],
    settings: ['PUBLIC_URL'],
  },
  async ({ path: { chainId, contract, tokenId } }) => {
    const result = await readTokenMetadata(chainId, contract, tokenId);
    return 'location' in result
      ? new Redirect(result.location, metadataCaching)
      : new Reply(result.metadata, { headers: metadataCaching });
  },
);
