import { deleteApiKeysOf } from '../../accounts/api-keys/change-keys.ts';
import { resetPassword } from '../../accounts/auth/reset-password.ts';
import type { PasswordReset } from '../../accounts/users/user.ts';
import { disableEndpointsOf } from './change-endpoints.ts';

/**
 * Sets a new password as `resetPassword` does. Deletes the API keys and disables the webhook endpoints of an account that somebody
 * else may have registered with the address: they would outlive the sessions, and read what its owner sells.
 * @throws DomainError as `resetPassword`
 */
export async function recoverAccount(reset: PasswordReset, attemptId: string | undefined): Promise<void> {
  const { userId, mayBeSquatted } = await resetPassword(reset, attemptId);
  if (!mayBeSquatted) return;
  const untilNow = () => ({ since: '', until: new Date().toISOString() });
  // First, since a key can change endpoints.
  await deleteApiKeysOf(userId, untilNow());
  await disableEndpointsOf(userId, untilNow());
}
