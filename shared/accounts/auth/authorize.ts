import type { DomainError } from '../../core/errors.ts';
import type { Role } from '../../core/schemas.ts';

/** The user who requests an operation. Without a role, the user is entitled by ownership only. */
export interface Actor {
  userId: string;
  role?: Role;
  /** The guest whose orders were added to the account. */
  guestId?: string | undefined;
  /** The version of the guest's access tokens when the orders were added. */
  guestVersion?: number | undefined;
  /** The version of the user's sessions when the access token was issued; absent for 0. */
  sessionVersion?: number | undefined;
  /** The API key that acts as the organizer, with the events that it is limited to. */
  key?: { eventIds?: readonly string[] } | undefined;
}

/** An actor, or an anonymous caller. */
export type Caller = Omit<Actor, 'userId'> & { userId: string | undefined };

/** A rule that entitles a caller to an operation. */
export type Entitlement = (caller: Caller) => boolean;

/**
 * Returns whether a user record is the caller's: the account, or the guest that belongs to it. An API key acts as the
 * organizer of events, never as the person who buys.
 */
export function isSelf({ userId, guestId, key }: Caller, id: string): boolean {
  return !key && (id === userId || id === guestId);
}

/** What a user has got, with the version of the session in which they got it; absent for 0, and for guests. */
export interface Belonging {
  userId: string;
  sessionVersion?: number | undefined;
  /** The version of the guest's access tokens when a guest got it. */
  guestVersion?: number | undefined;
}

/**
 * Returns whether something is the caller's. An access token from before a new password does not open what the user has got
 * since: somebody else may have registered with the user's address. An account does not open what its guest has got since
 * the guest's orders were added to it: anybody can order with the address, and has a token that opens the order.
 */
export function owns(caller: Caller, { userId, sessionVersion = 0, guestVersion = -1 }: Belonging): boolean {
  if (!isSelf(caller, userId)) return false;
  return userId === caller.userId
    ? (caller.sessionVersion ?? 0) >= sessionVersion
    : guestVersion < (caller.guestVersion ?? 0);
}

/** Returns the ids of a caller's user records: the account, and the guest that belongs to it. */
export function ownIdsOf({ userId, guestId }: Actor): [string, ...string[]] {
  return guestId === undefined ? [userId] : [userId, guestId];
}

export const admin: Entitlement = ({ role }) => role === 'ADMIN';

export const sameUser =
  (id: string): Entitlement =>
  (caller) =>
    isSelf(caller, id);

export const buyerOf =
  (order: Belonging): Entitlement =>
  (caller) =>
    owns(caller, order);

export const organizerOf =
  (event: { id: string; organizerId: string }): Entitlement =>
  ({ userId, key }) =>
    event.organizerId === userId && coversEvent(key, event.id);

/** Returns whether an event is one of those that an API key is limited to. */
export function coversEvent(key: Caller['key'], eventId: string): boolean {
  return key?.eventIds === undefined || key.eventIds.includes(eventId);
}

/**
 * Requires one of several entitlements.
 * @param refusal the error for a caller without entitlement: a 404 for private resources, whose existence is
 * confidential (orders, payouts, people), and a 403 for public ones (events)
 * @throws DomainError `refusal`
 */
export function authorize(caller: Caller, entitlements: readonly Entitlement[], refusal: DomainError): void {
  if (!entitlements.some((entitles) => entitles(caller))) throw refusal;
}
