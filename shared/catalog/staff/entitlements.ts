import type { Caller, Entitlement } from '../../accounts/auth/authorize.ts';
import { findAddressOwner } from '../../accounts/users/store.ts';
import type { StaffRole } from './staff.ts';
import { findMember } from './store.ts';

type EventReference = { id: string; organizerId: string };

/** A user's role at an event: `organizer` has all permissions, the roles of the staff have some. */
export type EventRole = 'organizer' | StaffRole;

/**
 * Returns a caller's role at an event; undefined for a caller without a role. Staff are named by address, so only an
 * account of the address's owner has the role. The role is read for every request, so that a removed member is
 * refused at once, even with a valid access token.
 */
export async function roleAt(event: EventReference, { userId }: Caller): Promise<EventRole | undefined> {
  if (userId === undefined) return undefined;
  if (event.organizerId === userId) return 'organizer';
  const user = await findAddressOwner(userId);
  return user && (await findMember(event.id, user.email))?.role;
}

/** Entitles the organizer of an event and its managers. */
export async function managerOf(event: EventReference, caller: Caller): Promise<Entitlement> {
  const role = await roleAt(event, caller);
  return () => role === 'organizer' || role === 'manager';
}

/** Entitles the organizer of an event and all of its staff. */
export async function staffOf(event: EventReference, caller: Caller): Promise<Entitlement> {
  const role = await roleAt(event, caller);
  return () => role !== undefined;
}
