import { findUser } from '../../../accounts/users/store.ts';
import { isClosed } from '../../../accounts/users/user.ts';
import { forbidden } from '../../../core/errors.ts';

/**
 * Refuses an event whose organizer has closed the account, since nobody could be paid for its tickets.
 * @throws DomainError 403
 */
export async function refuseClosedAccount(organizerId: string): Promise<void> {
  const organizer = await findUser(organizerId);
  if (organizer && isClosed(organizer)) {
    throw forbidden('The organizer of the event has closed the account');
  }
}
