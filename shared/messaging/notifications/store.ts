import * as z from 'zod';
import { conflict, DomainError, notFound } from '../../core/errors.ts';
import { deriveId } from '../../core/ids.ts';
import { identifier, time } from '../../core/schemas.ts';
import { keys } from '../../dynamo/keys.ts';
import { type Item, type PageQuery, queryAll, queryPage } from '../../dynamo/read.ts';
import { put, putAll, remove, update, type Write, write } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';

/** What notifications are about: the keys by which a frontend words them in other languages. */
export const notificationTopics = [
  'tickets-bought',
  'payment-late',
  'payment-returned',
  'event-cancelled',
  'event-cancelled-refunded',
  'held-ticket-cancelled',
  'held-ticket-cancelled-refunded',
  'refund-sent',
  'refund-promised',
  'goodwill-sent',
  'goodwill-promised',
  'tickets-taken-back',
  'tickets-reissued',
  'tickets-offered',
  'offer-withdrawn',
  'waiting-ended-event-cancelled',
  'waiting-ended-not-bought',
  'waiting-ended-none-left',
  'tickets-unsold',
  'tickets-of-order-unsold',
  'ticket-handed-over',
  'ticket-claimed',
  'work-at-door',
  'work-as-manager',
  'payout-failed',
  'contract-not-authorized',
  'mail-failed',
] as const;

/** A message to a user, shown in the application. */
export const notificationView = z
  .object({
    id: z.string(),
    userId: identifier,
    title: z.string().meta({ examples: ['Ticket Purchase Successful'] }),
    message: z.string(),
    type: z.enum(['SUCCESS', 'WARNING', 'INFO']).meta({ description: 'How to show it' }),
    read: z.boolean().meta({ description: 'Whether the user has marked it as read' }),
    createdAt: time,
    orderId: identifier.optional().meta({ description: 'The order it is about' }),
    topic: z
      .string()
      .optional()
      .meta({
        description: 'What it says, to word it in another language',
        examples: ['tickets-bought'],
      }),
    values: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .meta({
        description: 'The values in the sentences of the topic',
        examples: [{ event: 'Night of the Lambdas', count: 2 }],
      }),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof notificationView>;

export function toNotification(item: unknown): Notification {
  return notificationView.parse(item);
}

/** The sentences of a notification, in English and as a topic with values. */
export type NotificationText = Pick<Notification, 'type' | 'title' | 'message'> & {
  topic: (typeof notificationTopics)[number];
  values: Record<string, string | number>;
};

type NotificationFields = NotificationText & Pick<Notification, 'userId' | 'orderId'>;

/**
 * Builds an unread notification. Its id derives from what it is about and the time, so a repeated call builds the same one.
 * @param at epoch milliseconds
 */
export function newNotification(about: string, at: number, fields: NotificationFields): Notification {
  return { id: deriveId(about, at), ...fields, read: false, createdAt: new Date(at).toISOString() };
}

const notificationsQuery = (userIds: readonly string[]) => ({
  partition: userIds.map((userId) => keys.user(userId).pk),
  from: 'NOTIFICATION#',
  to: 'NOTIFICATION#~',
});

/** Converts a notification to an item that DynamoDB deletes after RETENTION_DAYS; without that setting it is kept. */
function toItem(notification: Notification) {
  const days = optionalSetting('RETENTION_DAYS');
  const ttl = days && Math.floor(Date.parse(notification.createdAt) / 1000) + Number(days) * 24 * 60 * 60;
  const key = keys.notification(notification.userId, notification.id);
  return { ...key, ...notification, ...(ttl && { ttl }) };
}

/**
 * Inserts a notification.
 * @throws DomainError 409 from the write, when the user has a notification with this id
 */
export function insertNotification(notification: Notification): Write {
  return put(toItem(notification), {
    when: 'attribute_not_exists(#pk)',
    orThrow: () => conflict('notification-exists', 'The notification was already sent'),
  });
}

/** Returns the write of a notification that replaces one with the same id. */
export const putNotification = (notification: Notification): Write => put(toItem(notification));

/** Writes notifications, replacing those with the same ids. A replaced notification becomes unread. */
export function putNotifications(notifications: readonly Notification[]): Promise<void> {
  return putAll(notifications.map(toItem));
}

/** Lists the notifications of a person's user records, newest first. */
export async function listNotifications(
  userIds: readonly string[],
  { unreadOnly, ...query }: PageQuery & { unreadOnly: boolean },
): Promise<{ notifications: Notification[]; nextCursor: string | null }> {
  const filter = unreadOnly ? (item: Item) => !item.read : undefined;
  const { items, nextCursor } = await queryPage({ ...notificationsQuery(userIds), filter }, query);
  return { notifications: items.map(toNotification), nextCursor };
}

/** Marks a notification as read. @throws DomainError 404 when none of a person's user records has it */
export async function markRead([userId, ...others]: OneOrMore, id: string): Promise<Notification> {
  try {
    return await markReadOf(userId, id);
  } catch (error) {
    const [next, ...rest] = others;
    if (!next || !(error instanceof DomainError) || error.kind !== 'not-found') throw error;
    return markRead([next, ...rest], id);
  }
}

type OneOrMore = readonly [string, ...string[]];

async function markReadOf(userId: string, id: string): Promise<Notification> {
  const item = await write(
    update(
      keys.notification(userId, id),
      { set: { read: true } },
      { when: 'attribute_exists(#pk)', orThrow: () => notFound('Notification') },
    ),
  );
  return toNotification(item);
}

/** Marks all notifications of a person as read. @returns the number of notifications that were unread */
export async function markAllRead(userIds: readonly string[]): Promise<number> {
  const unread: Notification[] = [];
  for await (const item of queryAll(notificationsQuery(userIds))) {
    if (!item.read) unread.push(toNotification(item));
  }
  await Promise.all(unread.map(({ userId, id }) => markReadOf(userId, id).catch(ignoreNotFound)));
  return unread.length;
}

/** Ignores that a notification was deleted after the query returned it. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof DomainError) || error.kind !== 'not-found') throw error;
}

/** Reads all notifications of a user, newest first. */
export async function* queryNotifications(userId: string): AsyncGenerator<Notification> {
  for await (const item of queryAll(notificationsQuery([userId]))) yield toNotification(item);
}

export async function removeNotifications(userId: string): Promise<void> {
  for await (const { id } of queryNotifications(userId)) await write(remove(keys.notification(userId, id)));
}
