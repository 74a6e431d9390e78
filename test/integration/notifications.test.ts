import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { insertNotification, type Notification } from '../../shared/messaging/notifications/store.ts';
import { type Person, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

let reader: Person;
let stranger: Person;
beforeAll(async () => {
  connectToTable();
  [reader, stranger] = await Promise.all([registerUser(), registerUser()]);
});

/** Writes notifications as the order worker does, and returns them oldest first. */
async function insertNotifications({ user }: Person, count: number): Promise<Notification[]> {
  const start = Date.now();
  const notifications = Array.from({ length: count }, (_, index): Notification => {
    const time = start + index * 60_000;
    return {
      id: newId(time),
      userId: user.id,
      title: 'Ticket Purchase Successful',
      message: `You bought ${index} tickets`,
      type: 'SUCCESS',
      read: false,
      createdAt: new Date(time).toISOString(),
      orderId: `corder${index}`,
    };
  });
  await Promise.all(notifications.map((notification) => write(insertNotification(notification))));
  return notifications;
}

const listNotifications = (token: string, query = '') => call('GET', `/api/notifications${query}`, { token });
const markAsRead = (token: string, id: string) => call('POST', `/api/notifications/${id}/read`, { token });
const markAllAsRead = (token: string) => call('POST', '/api/notifications/read-all', { token });

describe('notifications', () => {
  it('of the caller are listed newest first, page by page', async () => {
    const notifications = await insertNotifications(reader, 5);
    const first = await listNotifications(reader.token, '?limit=2');
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      notifications: [notifications[4], notifications[3]],
      nextCursor: expect.any(String),
    });
    const second = await listNotifications(reader.token, `?limit=2&cursor=${first.body.nextCursor}`);
    const third = await listNotifications(reader.token, `?limit=2&cursor=${second.body.nextCursor}`);
    expect(second.body.notifications).toEqual([notifications[2], notifications[1]]);
    expect(third.body).toEqual({ notifications: [notifications[0]], nextCursor: null });
    expect((await listNotifications(stranger.token)).body).toEqual({ notifications: [], nextCursor: null });
  });

  it('can be marked as read one by one', async () => {
    const person = await registerUser();
    const [older, newer] = await insertNotifications(person, 2);
    const answer = await markAsRead(person.token, older?.id ?? '');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ notification: { ...older, read: true } });
    expect((await listNotifications(person.token, '?unread=true')).body.notifications).toEqual([newer]);
    expect((await listNotifications(person.token, '?unread=false')).body.notifications).toEqual([
      newer,
      { ...older, read: true },
    ]);
    // Marking it again changes nothing.
    expect((await markAsRead(person.token, older?.id ?? '')).body).toEqual(answer.body);
  });

  it('can be marked as read all at once', async () => {
    const person = await registerUser();
    const notifications = await insertNotifications(person, 30);
    await markAsRead(person.token, notifications[0]?.id ?? '');
    const answer = await markAllAsRead(person.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ updated: 29 });
    expect((await listNotifications(person.token, '?unread=true')).body).toEqual({
      notifications: [],
      nextCursor: null,
    });
    expect((await markAllAsRead(person.token)).body).toEqual({ updated: 0 });
  });

  it('of other users are not found or marked', async () => {
    const person = await registerUser();
    const [notification] = await insertNotifications(person, 1);
    for (const id of [notification?.id ?? '', 'cnobody']) {
      const answer = await markAsRead(stranger.token, id);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: 'Notification not found' });
    }
    await markAllAsRead(stranger.token);
    expect((await listNotifications(person.token)).body.notifications).toEqual([notification]);
  });

  it('can’t be stored twice with the same id', async () => {
    const person = await registerUser();
    const [notification] = await insertNotifications(person, 1);
    const duplicate = insertNotification({ ...(notification as Notification), message: 'again' });
    await expect(write(duplicate)).rejects.toMatchObject({ kind: 'conflict', code: 'notification-exists' });
    expect((await listNotifications(person.token)).body.notifications).toEqual([notification]);
  });
});
