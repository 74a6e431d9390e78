import { conflict, notFound } from '../../core/errors.ts';
import { hashEmail } from '../../core/ids.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { getItem, type PageQuery, queryAll, queryPage } from '../../dynamo/read.ts';
import { put, remove, type Write, write } from '../../dynamo/write.ts';
import { type StaffMember, toMember } from './staff.ts';

export function findMember(eventId: string, email: string): Promise<StaffMember | undefined> {
  return findMemberByHash(eventId, hashEmail(email));
}

export async function findMemberByHash(eventId: string, emailHash: string): Promise<StaffMember | undefined> {
  const item = await getItem(keys.staff(eventId, emailHash));
  return item && toMember(item);
}

/**
 * Returns the write that adds a member, or changes one.
 * @param previous the member as read before; undefined to add one
 * @throws DomainError 409 with Retry-After from the write, after a concurrent change
 */
export function putMember(member: StaffMember, previous: StaffMember | undefined): Write {
  const { eventId, email } = member;
  return put(
    {
      ...staffKey(eventId, email),
      ...member,
      ownerPk: partitions.staffEvents(hashEmail(email)),
      ownerSk: eventId,
    },
    {
      ...(previous
        ? { when: '#role = :role', values: { role: previous.role } }
        : { when: 'attribute_not_exists(#pk)' }),
      orThrow: () => conflict('busy', 'The staff has just been changed. Please try again.', 1),
    },
  );
}

/** Returns the write that removes a member. @throws DomainError 404 from the write, when there is no such member */
export function removeMember(eventId: string, email: string): Write {
  const whenExists = { when: 'attribute_exists(#pk)', orThrow: () => notFound('Member') };
  return remove(staffKey(eventId, email), whenExists);
}

/** Lists a page of an event's staff. */
export async function listMembers(eventId: string, query: PageQuery) {
  const { items, nextCursor } = await queryPage({ ...staffQuery(eventId), ascending: true }, query);
  return { staff: items.map(toMember), nextCursor };
}

/** Reads all staff of an event. */
export async function* queryMembers(eventId: string): AsyncGenerator<StaffMember> {
  for await (const item of queryAll(staffQuery(eventId))) yield toMember(item);
}

/** Removes all staff of a deleted event. */
export async function removeAllMembers(eventId: string): Promise<void> {
  for await (const { email } of queryMembers(eventId)) await write(remove(staffKey(eventId, email)));
}

/** Removes an address from the staff of all events. */
export async function removeMemberships(emailHash: string): Promise<void> {
  for await (const item of queryAll(membershipsQuery(emailHash))) {
    await write(remove(keys.staff(toMember(item).eventId, emailHash)));
  }
}

/** Reads all staff memberships of an address, those of the newest events first. */
export async function* queryMemberships(email: string): AsyncGenerator<StaffMember> {
  for await (const item of queryAll(membershipsQuery(hashEmail(email)))) yield toMember(item);
}

/** Lists a page of an address's staff memberships, those of the newest events first. */
export async function listMemberships(email: string, query: PageQuery) {
  const { items, nextCursor } = await queryPage(membershipsQuery(hashEmail(email)), query);
  return { memberships: items.map(toMember), nextCursor };
}

const membershipsQuery = (emailHash: string) =>
  ({ index: 'byOwner', partition: partitions.staffEvents(emailHash) }) as const;

const staffQuery = (eventId: string) => {
  const { pk, sk } = keys.staff(eventId, '');
  return { partition: pk, prefix: sk };
};

const staffKey = (eventId: string, email: string) => keys.staff(eventId, hashEmail(email));
