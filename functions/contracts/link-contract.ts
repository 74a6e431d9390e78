import * as z from 'zod';
import {
  contractAssignment,
  contractBindingView,
  contractPath,
  toContractBindingView,
} from '../../shared/catalog/contracts/contract-view.ts';
import { linkContract } from '../../shared/catalog/contracts/link-contract.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/contracts/{chainId}/{address}',
    summary: 'Permit an organizer to mint on a contract',
    caller: 'admin',
    path: contractPath,
    body: contractAssignment,
    response: z.object({ contract: contractBindingView }),
    errors: ['user-not-found'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    indexes: ['byOwner'],
  },
  async ({ caller, path, body }) => ({
    contract: toContractBindingView(await linkContract({ ...path, ...body }, caller.userId)),
  }),
);
