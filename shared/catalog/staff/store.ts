import { conflict, notFound } from '../../core/errors.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { getItem, type PageQuery, queryAll, queryPage } from '../../dynamo/read.ts';
import { put, remove, type Write, write } from '../../dynamo/write.ts';
import { type StaffMember, toMember } from './staff.ts';

export async function findMember(eventId: string, userId: string): Promise<StaffMember | undefined> {
  const item = await getItem(keys.staff(eventId, userId));
  return item && toMember(item);
}

/**
 * Returns the write that adds a member, or changes one.
 * @param previous the member as read before; undefined to add one
 * @throws DomainError 409 with Retry-After from the write, after a concurrent change
 */
export function putMember(member: StaffMember, previous: StaffMember | undefined): Write {
  const { eventId, userId } = member;
  return put(
    {
      ...keys.staff(eventId, userId),
      ...member,
      ownerPk: partitions.staffEvents(userId),
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
export function removeMember(eventId: string, userId: string): Write {
  const whenExists = { when: 'attribute_exists(#pk)', orThrow: () => notFound('Member') };
  return remove(keys.staff(eventId, userId), whenExists);
}

/** Lists a page of an event's staff. */
export async function listMembers(eventId: string, query: PageQuery) {
  const { items, nextCursor } = await queryPage({ ...staffQuery(eventId), ascending: true }, query);
  return { staff: items.map(toMember), nextCursor };
}

/** Removes all staff of a deleted event. */
export async function removeAllMembers(eventId: string): Promise<void> {
  for await (const item of queryAll(staffQuery(eventId))) {
    await write(remove(keys.staff(eventId, toMember(item).userId)));
  }
}

/** Removes a user from the staff of all events. */
export async function removeMemberships(userId: string): Promise<void> {
  for await (const { eventId } of queryMemberships(userId)) await write(remove(keys.staff(eventId, userId)));
}

/** Reads all staff memberships of a user, those of the newest events first. */
export async function* queryMemberships(userId: string): AsyncGenerator<StaffMember> {
  const source = { index: 'byOwner', partition: partitions.staffEvents(userId) } as const;
  for await (const item of queryAll(source)) yield toMember(item);
}

/** Lists a page of a user's staff memberships, those of the newest events first. */
export async function listMemberships(userId: string, query: PageQuery) {
  const source = { index: 'byOwner', partition: partitions.staffEvents(userId) } as const;
  const { items, nextCursor } = await queryPage(source, query);
  return { memberships: items.map(toMember), nextCursor };
}

const staffQuery = (eventId: string) => {
  const { pk, sk } = keys.staff(eventId, '');
  return { partition: pk, prefix: sk };
};
