import { register } from '../../shared/accounts/auth/register.ts';
import { refreshCookie } from '../../shared/accounts/auth/sessions.ts';
import { registration, signedInView } from '../../shared/accounts/users/user.ts';
import { readDevice } from '../../shared/http/device.ts';
import { endpoint, Reply, readViewerAddress } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/auth/register',
    summary: 'Register as a buyer or an organizer',
    caller: 'anyone',
    body: registration,
    response: signedInView,
    status: 201,
    refreshCookie: 'sets',
    errors: ['email-taken', 'too-many-attempts'],
    table: ['PutItem', 'UpdateItem'],
    sends: ['send-links'],
    secrets: ['JWT_ACCESS_SECRET', 'JWT_REFRESH_SECRET', 'ORIGIN_SECRET'],
    settings: ['STAGE', 'REGISTRATIONS_PER_HOUR', 'PASSWORD_HASH_ROUNDS', 'MAIL_FROM'],
    memoryMegabytes: 1769,
  },
  async ({ body, ip, header }) => {
    const { user, token, refreshToken } = await register(
      body,
      await readViewerAddress({ ip, header }),
      await readDevice({ header }),
    );
    const cookies = [refreshCookie(refreshToken)];
    return new Reply({ message: 'Registration successful', token, user }, { cookies });
  },
);
