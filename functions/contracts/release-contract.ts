import { contractAssignment, contractPath } from '../../shared/contracts/contract-view.ts';
import { removeBinding } from '../../shared/contracts/store.ts';
import { messageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'Take back an organizer’s permission to mint on a contract',
    caller: 'admin',
    path: contractPath,
    query: contractAssignment,
    response: messageView('Contract released'),
    errors: ['contract-not-found'],
  },
  async ({ path, query }) => {
    await removeBinding({ ...path, ...query });
    return { message: 'Contract released' };
  },
);
