import { toAuditActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import type { Actor } from '../../accounts/auth/authorize.ts';
import { findCredential } from '../../accounts/auth/store.ts';
import { countAttempt } from '../../accounts/rate-limit.ts';
import { getUser } from '../../accounts/users/store.ts';
import { conflict, DomainError, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import type { PageQuery } from '../../dynamo/read.ts';
import { transact } from '../../dynamo/write.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { refuseClosedAccount } from '../events/editing/create-event.ts';
import type { Event } from '../events/event.ts';
import { getOwnEvent } from '../events/read-events.ts';
import type { StaffAddition, StaffMember } from './staff.ts';
import { findMember, listMembers, putMember, removeMember } from './store.ts';

/**
 * Limits the additions of an organizer: each sends a notification and discloses whether an e-mail address has an
 * account.
 */
const additionLimit = {
  maximum: 100,
  windowSeconds: 24 * 60 * 60,
  message: 'You added staff a hundred times today, please try again tomorrow',
};

/**
 * Puts a registered user on the staff of an event, or changes their role there, and notifies them.
 * @throws DomainError 404 for an event that the caller may not see and for an e-mail that nobody has registered with,
 * 403 for all but the organizer and when the organizer has closed the account, 409 for the organizer's own e-mail, 429
 * after a hundred additions in a day
 */
export async function addMember(
  eventId: string,
  caller: Actor,
  { email, role }: StaffAddition,
): Promise<StaffMember> {
  const event = await getOwnEvent(eventId, caller.userId);
  await refuseClosedAccount(event.organizerId);
  await countAttempt(keys.attempts('STAFF', caller.userId), additionLimit);
  const credential = await findCredential(email);
  if (!credential) throw unknownEmail();
  const user = await getUser(credential.userId);
  if (user.id === event.organizerId) {
    throw conflict('already-organizer', 'You are the organizer and have all permissions already');
  }
  const previous = await findMember(eventId, user.id);
  if (previous?.role === role) return previous;
  const timestamp = new Date().toISOString();
  const member = {
    eventId,
    userId: user.id,
    email,
    name: user.name,
    role,
    addedAt: previous?.addedAt ?? timestamp,
  };
  const actor = toAuditActor(caller);
  await transact([
    putMember(member, previous),
    previous
      ? insertAuditEntry({
          action: 'staff-changed',
          by: actor,
          eventId,
          details: { userId: user.id, role, before: previous.role },
          at: timestamp,
        })
      : insertAuditEntry({
          action: 'staff-added',
          by: actor,
          eventId,
          details: { userId: user.id, role },
          at: timestamp,
        }),
    insertNotification(invitationNotification(member, event, timestamp)),
  ]);
  return member;
}

/**
 * Removes a member from the staff of an event, effective from the member's next request.
 * @throws DomainError 404 for an event that the caller may not see and for an e-mail that is not on the staff, 403 for
 * all but the organizer
 */
export async function dismissMember(eventId: string, caller: Actor, email: string): Promise<void> {
  await getOwnEvent(eventId, caller.userId);
  const credential = await findCredential(email);
  const member = credential && (await findMember(eventId, credential.userId));
  if (!member) throw notFound('Member');
  const { userId, role } = member;
  await transact([
    removeMember(eventId, userId),
    insertAuditEntry({
      action: 'staff-removed',
      by: toAuditActor(caller),
      eventId,
      details: { userId, role },
    }),
  ]);
}

/**
 * Lists a page of an event's staff.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer
 */
export async function listStaff(eventId: string, userId: string, query: PageQuery) {
  await getOwnEvent(eventId, userId);
  return listMembers(eventId, query);
}

function unknownEmail(): DomainError {
  return new DomainError(
    'not-found',
    'user-not-found',
    'Nobody has registered with this e-mail address. Ask them to register first.',
  );
}

function invitationNotification({ userId, role }: StaffMember, { title }: Event, timestamp: string) {
  return {
    id: newId(Date.parse(timestamp)),
    userId,
    type: 'INFO' as const,
    title: `You work at ${title}`,
    message:
      role === 'door'
        ? `You can now check in tickets at the door of ${title}.`
        : `You can now manage ${title} and check in tickets at its door.`,
    read: false,
    createdAt: timestamp,
  };
}
