import * as z from 'zod';
import { identifier, time } from '../core/schemas.ts';

/** A message to a user, shown in the application. */
export const notificationView = z
  .object({
    id: z.string(),
    userId: identifier,
    title: z.string().meta({ examples: ['Ticket Purchase Successful'] }),
    message: z.string(),
    type: z.enum(['SUCCESS', 'WARNING', 'INFO']),
    read: z.boolean(),
    createdAt: time,
    orderId: identifier.optional().meta({ description: 'The order it is about' }),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof notificationView>;

/** Reads a stored item as a notification. @throws ZodError for an item that is none */
export function toNotification(item: unknown): Notification {
  return notificationView.parse(item);
}
