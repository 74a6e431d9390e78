import type { DomainError } from '../core/errors.ts';
import type { Role } from '../users/user.ts';

/** The user an operation acts for. Without a role, only ownership counts. */
export interface Actor {
  userId: string;
  role?: Role;
}

/** An actor, or an anonymous caller. */
export type Anyone = Omit<Actor, 'userId'> & { userId: string | undefined };

/** A way to be entitled to an operation. */
export type Entitlement = (actor: Anyone) => boolean;

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
 * @param refusal a 404 where the caller must not learn that the thing exists (orders, payouts, people); a 403
 * where everybody may know of it (events)
 * @throws DomainError the refusal, for an actor with none of the entitlements
 */
export function authorize(actor: Anyone, entitlements: readonly Entitlement[], refusal: DomainError): void {
  if (!entitlements.some((entitles) => entitles(actor))) throw refusal;
}
