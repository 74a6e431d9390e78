import * as z from 'zod';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { addPasskey } from '../../shared/accounts/factors/add-passkey.ts';
import {
  passkeyRegistration,
  passkeyView,
  recoveryCodesView,
  toPasskeyView,
} from '../../shared/accounts/factors/factor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/passkeys',
    summary: 'Add a passkey to the caller’s account',
    description:
      'From then on a login needs it, or another second factor. It comes with recovery codes when the account has none left.',
    caller: 'user',
    fresh: requireFreshSession,
    body: passkeyRegistration,
    response: z.object({ passkey: passkeyView, recoveryCodes: recoveryCodesView.optional() }),
    status: 201,
    errors: ['invalid-passkey', 'too-many-passkeys', 'busy'],
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['send-mail'],
    settings: ['PUBLIC_URL', 'ALLOWED_ORIGINS', 'MAIL_FROM'],
  },
  async ({ caller, body }) => {
    const { passkey, ...rest } = await addPasskey(caller, body);
    return { passkey: toPasskeyView(passkey), ...rest };
  },
);
