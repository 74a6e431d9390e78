import { transact } from '../../dynamo/write.ts';
import { type AccessClaims, signAccessToken } from '../../runtime/tokens.ts';
import {
  addressNotConfirmed,
  addressNotOwned,
  endSessions,
  findGuestId,
  getSessionOwner,
  linkGuest,
} from '../users/store.ts';
import { toClaims } from './sessions.ts';
import { getLiveSession } from './step-up.ts';

/**
 * Adds the orders that were bought with an account's address, without the account, to the account. The orders
 * themselves do not change: the account acts as their guest, too. The access tokens that were issued before end. What is
 * bought afterwards without the account is not the account's until the next call.
 * @param caller the claims of an access token of a session that has not ended: it gets another token, valid for longer. One
 * from before a new password could be that of somebody who had registered with another person's address
 * @returns an access token that also opens these orders
 * @throws DomainError 401 for an earlier access token, and after the end of its session; 403 unless the account has confirmed
 * its address, in a session or by a new password
 */
export async function attachGuest(caller: AccessClaims): Promise<string> {
  const owner = await getLiveSession(caller);
  const { user, ownsAddress } = owner;
  if (!user.emailVerified) throw addressNotConfirmed();
  if (!ownsAddress) throw addressNotOwned();
  const guestId = await findGuestId(user.email);
  const { sessionId, confirmedAt } = caller;
  const session = { sessionId, confirmedAt };
  if (guestId === undefined) return signAccessToken({ ...toClaims(owner), ...session });
  // After two calls at once, what was bought between them is added by the next call: the guest's version is still higher.
  const guestVersion = (await getSessionOwner(guestId)).sessionVersion + 1;
  await transact([linkGuest(user, guestId, guestVersion), endSessions(guestId, new Date().toISOString())]);
  return signAccessToken({ ...toClaims({ ...owner, guestId, guestVersion }), ...session });
}
