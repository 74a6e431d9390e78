import type { DomainError } from '../../core/errors.ts';
import type { Role } from '../../core/schemas.ts';

/** The user who requests an operation. Without a role, the user is entitled by ownership only. */
export interface Actor {
  userId: string;
  role?: Role;
}

/** An actor, or an anonymous caller. */
export type Caller = Omit<Actor, 'userId'> & { userId: string | undefined };

/** A rule that entitles a caller to an operation. */
export type Entitlement = (caller: Caller) => boolean;

export const admin: Entitlement = ({ role }) => role === 'ADMIN';

export const sameUser =
  (id: string): Entitlement =>
  ({ userId }) =>
    userId === id;

export const buyerOf =
  (order: { userId: string }): Entitlement =>
  ({ userId }) =>
    order.userId === userId;

export const organizerOf =
  (event: { organizerId: string }): Entitlement =>
  ({ userId }) =>
    event.organizerId === userId;

/**
 * Requires one of several entitlements.
 * @param refusal the error for a caller without entitlement: a 404 for private resources, whose existence is
 * confidential (orders, payouts, people), and a 403 for public ones (events)
 * @throws DomainError `refusal`
 */
export function authorize(caller: Caller, entitlements: readonly Entitlement[], refusal: DomainError): void {
  if (!entitlements.some((entitles) => entitles(caller))) throw refusal;
}
