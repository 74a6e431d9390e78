import { toAuditActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import type { Actor } from '../../accounts/auth/authorize.ts';
import { requireLiveCaller } from '../../accounts/auth/step-up.ts';
import { findCredential } from '../../accounts/auth/store.ts';
import { prepareAnnouncement } from '../../accounts/factors/announce.ts';
import { countAttempt } from '../../accounts/rate-limit.ts';
import { findAddressOwner } from '../../accounts/users/store.ts';
import type { User } from '../../accounts/users/user.ts';
import { conflict, ignoreNotFound, notFound } from '../../core/errors.ts';
import { hashEmail, newId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import type { PageQuery } from '../../dynamo/read.ts';
import { transact } from '../../dynamo/write.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { insertMail, queueMails } from '../../messaging/outbox/store.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import { refuseClosedAccount } from '../events/editing/create-event.ts';
import type { Event } from '../events/event.ts';
import { getOwnEvent } from '../events/read-events.ts';
import { queryOrganizerEvents } from '../events/store.ts';
import { type StaffAddition, type StaffMemberView, type StaffRole, toMemberView } from './staff.ts';
import { findMember, listMembers, putMember, queryMembers, removeMember } from './store.ts';

/** Limits the additions of an organizer: each sends a notification or a mail. */
const additionLimit = {
  maximum: 100,
  windowSeconds: 24 * 60 * 60,
  message: 'You added staff a hundred times today, please try again tomorrow',
};

/**
 * Puts an address on the staff of an event, or changes its role there. Notifies the account that has confirmed the
 * address; else mails an invitation to the address, and the role begins when an account confirms it. The organizer is mailed about
 * a manager.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer and when the
 * organizer has closed the account, 401 for a session that has ended, 409 for the organizer's own e-mail, 429 after a hundred additions in a day
 */
export async function addMember(
  eventId: string,
  caller: AccessClaims,
  { email, role }: StaffAddition,
): Promise<StaffMemberView> {
  const event = await getOwnEvent(eventId, caller.userId);
  await refuseClosedAccount(event.organizerId);
  await countAttempt(keys.attempts('STAFF', caller.userId), additionLimit);
  const credential = await findCredential(email);
  if (credential?.userId === event.organizerId) {
    throw conflict('already-organizer', 'You are the organizer and have all permissions already');
  }
  const [user, previous] = await Promise.all([findConfirmedUser(email), findMember(eventId, email)]);
  if (previous?.role === role) return toMemberView(previous, user);
  const timestamp = new Date().toISOString();
  const addedAt = previous?.addedAt ?? timestamp;
  const member = { eventId, email, role, addedAt, changedAt: timestamp };
  const change = { by: toAuditActor(caller), eventId, at: timestamp };
  const details = { ...(user && { userId: user.id }), role };
  const invitation = {
    kind: 'staff-invited',
    eventId,
    emailHash: hashEmail(email),
    invitedAt: timestamp,
  } as const;
  const isInvited = !user && !previous;
  // Somebody else may have added the manager.
  const announcement =
    role === 'manager' ? prepareAnnouncement(event.organizerId, 'manager-added') : undefined;
  await transact([
    await requireLiveCaller(caller),
    putMember(member, previous),
    insertAuditEntry(
      previous
        ? { action: 'staff-changed', details: { ...details, before: previous.role }, ...change }
        : { action: 'staff-added', details, ...change },
    ),
    ...(user ? [insertNotification(additionNotification(user.id, role, event, timestamp))] : []),
    ...(isInvited ? insertMail(invitation, caller.userId, { eventId }) : []),
    ...(announcement?.writes ?? []),
  ]);
  await queueMails([
    ...(isInvited ? [{ content: invitation, eventId }] : []),
    ...(announcement ? [{ content: announcement.mail }] : []),
  ]);
  return toMemberView(member, user);
}

/**
 * Removes a member from the staff of an event, effective from the member's next request.
 * @throws DomainError 404 for an event that the caller may not see and for an e-mail that is not on the staff, 403 for
 * all but the organizer
 */
export async function dismissMember(eventId: string, caller: Actor, email: string): Promise<void> {
  await getOwnEvent(eventId, caller.userId);
  const [user, member] = await Promise.all([findConfirmedUser(email), findMember(eventId, email)]);
  if (!member) throw notFound('Member');
  await transact([
    removeMember(eventId, email),
    insertAuditEntry({
      action: 'staff-removed',
      by: toAuditActor(caller),
      eventId,
      details: { ...(user && { userId: user.id }), role: member.role },
    }),
  ]);
}

/**
 * Removes the staff of an organizer's events that was added, or got another role, in a time. Somebody may remove some of it
 * meanwhile.
 * @param since, until ISO 8601 in UTC
 */
export async function dismissMembersOf(
  organizerId: string,
  { since, until }: { since: string; until: string },
): Promise<void> {
  for await (const { id } of queryOrganizerEvents(organizerId)) {
    for await (const { email, changedAt } of queryMembers(id))
      if (since <= changedAt && changedAt <= until)
        await dismissMember(id, { userId: organizerId }, email).catch(ignoreNotFound);
  }
}

/**
 * Lists a page of an event's staff.
 * @throws DomainError 404 for an event that the caller may not see, 403 for all but the organizer
 */
export async function listStaff(eventId: string, userId: string, query: PageQuery) {
  await getOwnEvent(eventId, userId);
  const { staff, nextCursor } = await listMembers(eventId, query);
  const views = staff.map(async (member) => toMemberView(member, await findConfirmedUser(member.email)));
  return { staff: await Promise.all(views), nextCursor };
}

/** Finds the account that has confirmed an address. */
async function findConfirmedUser(email: string): Promise<User | undefined> {
  const credential = await findCredential(email);
  return credential && findAddressOwner(credential.userId);
}

function additionNotification(userId: string, role: StaffRole, { title }: Event, timestamp: string) {
  return {
    id: newId(Date.parse(timestamp)),
    userId,
    type: 'INFO' as const,
    title: `You work at ${title}`,
    message:
      role === 'door'
        ? `You can now check in tickets at the door of ${title}.`
        : `You can now manage ${title} and check in tickets at its door.`,
    topic: role === 'door' ? ('work-at-door' as const) : ('work-as-manager' as const),
    values: { event: title },
    read: false,
    createdAt: timestamp,
  };
}
