import { refreshCookie } from '../../shared/auth/cookie.ts';
import { register } from '../../shared/auth/register.ts';
import { registration } from '../../shared/auth/user.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

export const handler = endpoint({ caller: 'anyone', body: registration, status: 201 }, async ({ body }) => {
  const { user, token, refreshToken } = await register(body);
  return new Reply(
    { message: 'Registration successful', token, user },
    { cookies: [refreshCookie(refreshToken)] },
  );
});
