import * as z from 'zod';
import { email } from '../../accounts/users/user.ts';
import { identifier, idInput, nextCursor, time } from '../../core/schemas.ts';

export const staffRoles = ['manager', 'door'] as const;

export const staffRole = z.enum(staffRoles).meta({
  description:
    '`door` checks tickets in, sees the attendance and searches paid orders; `manager` does everything but payouts, staff, the audit trail and deletion',
  examples: ['door'],
});
export type StaffRole = z.infer<typeof staffRole>;

/** A member of one event's staff. The role at the event is independent of the account's role. */
const member = z.object({
  eventId: identifier,
  userId: identifier,
  email: z.string().meta({ format: 'email', examples: ['dora@example.com'] }),
  name: z.string().meta({ examples: ['Dora Door'] }),
  role: staffRole,
  addedAt: time,
});
export const memberView = member.meta({ id: 'StaffMember' });
export type StaffMember = z.infer<typeof member>;

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
