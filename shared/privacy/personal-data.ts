import * as z from 'zod';
import { userView } from '../accounts/users/user.ts';
import { organizerPageView } from '../catalog/organizer-page/page.ts';
import { staffRole } from '../catalog/staff/staff.ts';
import { identifier, time } from '../core/schemas.ts';
import { notificationView } from '../messaging/notifications/store.ts';
import { balanceView, payoutView } from '../money/payouts/views.ts';
import { answer } from '../orders/answers/answer.ts';
import { orderView } from '../orders/views.ts';
import { ticketView } from '../tickets/ticket.ts';

/** The maximum number of entries of each list in an export. */
export const maximumEntries = 1_000;

const seat = z.object({
  orderId: identifier,
  number: z.int(),
  attendee: z.object({ name: z.string(), email: z.string().optional() }).optional(),
  offeredTo: z.string().optional().meta({ description: 'The address that the seat was last offered to' }),
  checkedInAt: time.optional(),
});

/** The stored data about a person. */
export const exportView = z
  .object({
    exportedAt: time,
    isComplete: z.boolean().meta({
      description: `False when a list has more than ${maximumEntries} entries, or all together are larger than a response. This response then has its newest entries; the list’s own endpoint has all`,
    }),
    user: userView,
    orders: z.array(orderView),
    seats: z.array(seat).meta({
      description: 'The person’s seats that have an attendee, or were offered, received or admitted',
    }),
    answers: z
      .array(answer.extend({ orderId: identifier }))
      .meta({ description: 'The answers to questions, for orders and tickets of the person' }),
    tickets: z.array(ticketView),
    notifications: z.array(notificationView),
    events: z.array(z.object({ id: identifier, title: z.string(), createdAt: time })),
    page: organizerPageView.nullable().meta({ description: 'The person’s page as an organizer' }),
    staff: z.array(z.object({ eventId: identifier, role: staffRole, addedAt: time })),
    balances: z.array(balanceView),
    payouts: z.array(payoutView),
  })
  .meta({ id: 'PersonalData' });
export type PersonalData = z.infer<typeof exportView>;
