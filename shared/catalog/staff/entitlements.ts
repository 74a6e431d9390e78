import { type Caller, type Entitlement, organizerOf } from '../../accounts/auth/authorize.ts';
import { findAddressOwner } from '../../accounts/users/store.ts';
import type { StaffRole } from './staff.ts';
import { findMember } from './store.ts';

type EventReference = { id: string; organizerId: string };

/** A user's role at an event: `organizer` has all permissions, the roles of the staff have some. */
export type EventRole = 'organizer' | StaffRole;

/**
 * Returns a caller's role at an event; undefined for a caller without a role. Staff are named by address, so only an
 * account of the address's owner has the role. The role is read for every request, so that a removed member is
 * refused at once, even with a valid access token. An API key acts as the organizer only, at the events that it is
 * limited to.
 */
export async function roleAt(event: EventReference, caller: Caller): Promise<EventRole | undefined> {
  const { userId, key } = caller;
  if (userId === undefined) return undefined;
  if (organizerOf(event)(caller)) return 'organizer';
  if (key) return undefined;
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
