import { contractAssignment, contractPath } from '../../shared/catalog/contracts/contract-view.ts';
import { unlinkContract } from '../../shared/catalog/contracts/link-contract.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/contracts/{chainId}/{address}',
    summary: 'Revoke an organizer’s permission to mint on a contract',
    caller: 'admin',
    path: contractPath,
    query: contractAssignment,
    response: createMessageView('Contract released'),
    errors: ['contract-not-found'],
    table: ['DeleteItem', 'PutItem'],
  },
  async ({ caller, path, query }) => {
    await unlinkContract({ ...path, ...query }, caller.userId);
    return { message: 'Contract released' };
  },
);
