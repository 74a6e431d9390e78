import * as z from 'zod';
import { requireFreshSession } from '../../shared/accounts/auth/step-up.ts';
import { beginTotp } from '../../shared/accounts/factors/change-factors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/totp',
    summary: 'Begin to set up an authenticator app',
    description: 'It counts once `POST /api/auth/totp/activate` has had one of its codes.',
    caller: 'user',
    fresh: requireFreshSession,
    response: z.object({
      secret: z.string().meta({ description: 'The secret in base 32, to type into the app' }),
      uri: z.string().meta({ description: 'The `otpauth:` address, for a QR code' }),
    }),
    errors: ['user-not-found', 'totp-active'],
    settings: ['SHOP_NAME'],
    table: ['GetItem', 'PutItem'],
  },
  ({ caller }) => beginTotp(caller.userId),
);
