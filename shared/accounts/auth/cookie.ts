import { optionalSetting } from '../../runtime/config.ts';
import { refreshLifetimeSeconds } from '../../runtime/tokens.ts';

/** The cookie that carries the refresh token. */
export const refreshCookieName = 'refreshToken';

/**
 * Returns the `Set-Cookie` header for a refresh token. An empty token deletes the cookie. The cookie is `Secure` except
 * on the local stack.
 */
export function refreshCookie(token: string): string {
  const attributes = [
    `${refreshCookieName}=${token}`,
    'Path=/api/auth',
    `Max-Age=${token ? refreshLifetimeSeconds : 0}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(optionalSetting('STAGE') === 'local' ? [] : ['Secure']),
  ];
  return attributes.join('; ');
}
