import * as z from 'zod';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { activateTotp } from '../../shared/accounts/factors/change-factors.ts';
import { recoveryCodesView, totpActivation } from '../../shared/accounts/factors/factor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/totp/activate',
    summary: 'Activate the authenticator app with one of its codes',
    description: 'From then on a login needs a second factor. Earlier recovery codes end.',
    caller: 'user',
    fresh: requireFreshSession,
    body: totpActivation,
    response: z.object({ recoveryCodes: recoveryCodesView }),
    errors: ['invalid-totp-code', 'too-many-attempts'],
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['send-mail'],
    settings: ['MAIL_FROM'],
  },
  async ({ caller, body }) => ({ recoveryCodes: await activateTotp(caller, body.code) }),
);
