import * as z from 'zod';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { signatureErrorCodes } from '../../shared/accounts/wallets/wallet-request.ts';
import {
  contractBindingView,
  contractVerificationRequest,
  toContractBindingView,
} from '../../shared/catalog/contracts/contract-view.ts';
import { verifyContract } from '../../shared/catalog/contracts/verify-contract.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/contracts/verify',
    summary: 'Prove that the caller administers a ticket contract',
    description:
      'Request a message from `POST /api/auth/wallet/challenge` with the purpose `contract`, and sign it with a wallet that has the contract’s DEFAULT_ADMIN_ROLE. The caller’s events may then mint their tickets on the contract.',
    caller: 'organizer',
    // The binding outlives the session, and its wallet administers the tickets' contract.
    fresh: requireFreshSession,
    body: contractVerificationRequest,
    response: z.object({ contract: contractBindingView }),
    errors: [...signatureErrorCodes, 'not-contract-admin', 'unknown-creation-code'],
    table: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    indexes: ['byOwner'],
    settings: ['PUBLIC_URL', 'SHOP_NAME'],
    chains: true,
    timeoutSeconds: 20,
  },
  async ({ caller, body }) => ({
    contract: toContractBindingView(await verifyContract(caller.userId, body)),
  }),
);
