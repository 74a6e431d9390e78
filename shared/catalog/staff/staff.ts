import * as z from 'zod';
import { email, type User } from '../../accounts/users/user.ts';
import { identifier, idInput, nextCursor, time, toView } from '../../core/schemas.ts';

export const staffRoles = ['manager', 'door'] as const;

export const staffRole = z.enum(staffRoles).meta({
  description:
    '`door` checks tickets in, sees the attendance and searches paid orders; `manager` does everything but payouts, staff, the audit trail and deletion',
  examples: ['door'],
});
export type StaffRole = z.infer<typeof staffRole>;

/**
 * A member of one event's staff. The role at the event is independent of the account's role. It belongs to an address,
 * which may have no account yet.
 */
const memberFields = z.object({
  eventId: identifier,
  email: z.string().meta({ format: 'email', examples: ['dora@example.com'] }),
  role: staffRole,
  addedAt: time,
});
const member = memberFields.extend({
  /** When the member was added, or got another role. */
  changedAt: z.string(),
});
export type StaffMember = z.infer<typeof member>;

export const memberView = memberFields
  .extend({
    status: z.enum(['invited', 'active']).meta({
      description: '`invited`: the role begins when an account confirms the address',
    }),
    userId: identifier.nullable().meta({ description: 'The account that confirmed the address' }),
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Dora Door'] }),
  })
  .meta({ id: 'StaffMember' });
export type StaffMemberView = z.infer<typeof memberView>;

/** @param user the account that confirmed the address */
export function toMemberView(member: StaffMember, user: User | undefined): StaffMemberView {
  return toView(memberView, member, {
    status: user ? 'active' : 'invited',
    userId: user?.id ?? null,
    name: user?.name ?? null,
  });
}

/** Parses a stored item as a member of staff. @throws ZodError for any other item */
export function toMember(item: unknown): StaffMember {
  return member.parse(item);
}

export const staffPath = z.object({ id: idInput.meta({ description: 'The id of the event' }) });

export const staffAddition = z
  .object({ email, role: staffRole })
  .meta({ examples: [{ email: 'dora@example.com', role: 'door' }] });
export type StaffAddition = z.infer<typeof staffAddition>;

export const staffRemoval = z.object({ email }).meta({ examples: [{ email: 'dora@example.com' }] });

export const staffList = z.object({ staff: z.array(memberView), nextCursor });
