import * as z from 'zod';
import { identifier, nextCursor, pageQuery, time } from '../../core/schemas.ts';

const tierName = z.string().meta({ examples: ['Floor'] });
const customerName = z.string().meta({ examples: ['Ben Buyer'] });

/** `q` searches the event's paid orders. */
export const attendanceQuery = pageQuery.extend({
  q: z
    .string()
    .trim()
    .min(2)
    .max(200)
    .optional()
    .meta({
      description:
        'Finds paid orders by words of the buyer’s name, by id or reference; for the organizer and managers by e-mail address too',
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
    attendeeName: z.string().nullable().meta({ description: 'Who the holder named for the seat' }),
    checkedInAt: time,
  })
  .meta({ id: 'RecentAdmission' });
export type RecentAdmission = z.infer<typeof recentAdmission>;

/** A paid order as the door finds it. */
const expectedOrder = z
  .object({
    orderId: identifier,
    customerName,
    customerEmail: z.string().optional().meta({ description: 'For the organizer and managers only' }),
    tierName,
    quantity: z.int(),
    admitted: z.int().meta({ description: 'How many of its seats are in' }),
    status: z
      .enum(['valid', 'refunded', 'no-seat'])
      .meta({ description: '`no-seat`: paid when nothing was left' }),
  })
  .meta({ id: 'ExpectedOrder' });
export type ExpectedOrder = z.infer<typeof expectedOrder>;

/** How many are in, and who came last. */
export const attendanceView = z
  .object({
    admitted: z.int().meta({ examples: [132] }),
    expected: z.int().meta({ description: 'The tickets sold, less those refunded', examples: [500] }),
    recent: z.array(recentAdmission).meta({ description: 'The latest 20, newest first' }),
    orders: z.array(expectedOrder).meta({ description: 'What `q` found; empty without it' }),
    nextCursor,
  })
  .meta({ id: 'Attendance' });
export type Attendance = z.infer<typeof attendanceView>;
