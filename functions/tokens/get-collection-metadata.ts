import { metadataCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { readCollectionMetadata } from '../../shared/tickets/metadata/read-metadata.ts';
import { collectionMetadata, collectionPath } from '../../shared/tickets/metadata/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/tokens/{chainId}/{contract}',
    summary: 'Get the metadata of a ticket contract',
    description: 'ERC-7572 metadata for marketplaces. The contract’s `contractURI` returns this URL.',
    caller: 'anyone',
    path: collectionPath,
    response: collectionMetadata,
    errors: ['collection-not-found'],
    table: ['GetItem'],
    settings: ['PUBLIC_URL'],
  },
  async ({ path: { chainId, contract } }) =>
    new Reply(await readCollectionMetadata(chainId, contract), { headers: metadataCaching }),
);
