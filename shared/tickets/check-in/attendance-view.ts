import * as z from 'zod';
import { identifier, nextCursor, pageQuery, time } from '../../core/schemas.ts';

const tierName = z.string().meta({ examples: ['Floor'] });
const customerName = z.string().meta({ examples: ['Ben Buyer'] });

/** `q` searches the event's paid orders. */
export const attendanceQuery = pageQuery.extend({
  q: z
    .string()
    .trim()
    .max(200)
    .refine(({ length }) => length !== 1, 'must have at least 2 characters, or none')
    .optional()
    .meta({
      description:
        'Finds paid orders by words of the buyer’s name, by id or by reference. The organizer and managers can search by e-mail address too. An empty text finds all paid orders',
      examples: ['ben buyer'],
    }),
});
export type AttendanceQuery = z.infer<typeof attendanceQuery>;

/** A seat that was admitted. */
const recentAdmission = z
  .object({
    orderId: identifier,
    number: z.int(),
    tierName,
    customerName,
    attendeeName: z.string().nullable().meta({ description: 'The attendee that the holder named' }),
    checkedInAt: time,
  })
  .meta({ id: 'RecentAdmission' });
export type RecentAdmission = z.infer<typeof recentAdmission>;

/** A paid order that a search at the door finds. */
const expectedOrder = z
  .object({
    orderId: identifier,
    customerName,
    customerEmail: z.string().optional().meta({ description: 'For the organizer and managers only' }),
    tierName,
    quantity: z.int(),
    admitted: z.int().meta({ description: 'The number of its seats that were admitted' }),
    status: z
      .enum(['valid', 'refunded', 'no-seat'])
      .meta({ description: '`no-seat`: paid when no tickets were left' }),
  })
  .meta({ id: 'ExpectedOrder' });
export type ExpectedOrder = z.infer<typeof expectedOrder>;

/** The number of admissions, and the latest ones. */
export const attendanceView = z
  .object({
    admitted: z.int().meta({ examples: [132] }),
    expected: z.int().meta({ description: 'The tickets sold, without those refunded', examples: [500] }),
    recent: z.array(recentAdmission).meta({ description: 'The latest 20, newest first' }),
    orders: z.array(expectedOrder).meta({ description: 'What `q` found; empty without it' }),
    nextCursor,
  })
  .meta({ id: 'Attendance' });
export type Attendance = z.infer<typeof attendanceView>;
