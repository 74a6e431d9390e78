import * as z from 'zod';
import { signatureErrorCodes } from '../../shared/auth/wallet-request.ts';
import {
  contractBindingView,
  contractVerification,
  toContractBindingView,
} from '../../shared/contracts/contract-view.ts';
import { verifyContract } from '../../shared/contracts/verify-contract.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'Prove that the caller administers a ticket contract',
    description:
      'The message comes from `POST /api/auth/wallet/challenge` with the purpose `contract`, signed by a wallet that has the contract’s DEFAULT_ADMIN_ROLE. Tickets of the caller’s events are minted on the contract from then on.',
    caller: 'organizer',
    body: contractVerification,
    response: z.object({ contract: contractBindingView }),
    errors: [...signatureErrorCodes, 'not-contract-admin'],
  },
  async ({ caller, body }) => ({
    contract: toContractBindingView(await verifyContract(caller.userId, body)),
  }),
);
