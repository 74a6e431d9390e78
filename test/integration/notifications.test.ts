import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import type { Notification } from '../../shared/notifications/store.ts';
import { insertNotification } from '../../shared/notifications/store.ts';
import { call } from '../support/http.ts';
import { type Person, registerUser } from '../support/people.ts';
import { useTableOf } from '../support/table.ts';

let reader: Person;
let stranger: Person;
beforeAll(async () => {
  useTableOf();
  [reader, stranger] = await Promise.all([registerUser(), registerUser()]);
});

/** Writes notifications as the order worker does, oldest first. */
async function notify({ user }: Person, number: number): Promise<Notification[]> {
  const start = Date.now();
  const sent = Array.from({ length: number }, (_, minute): Notification => {
    const at = start + minute * 60_000;
    return {
      id: newId(at),
      userId: user.id,
      title: 'Ticket Purchase Successful',
      message: `You bought ${minute} tickets`,
      type: 'SUCCESS',
      read: false,
      createdAt: new Date(at).toISOString(),
      orderId: `corder${minute}`,
    };
  });
  await Promise.all(sent.map((notification) => write(insertNotification(notification))));
  return sent;
}

const list = (token: string, query = '') => call('GET', `/api/notifications${query}`, { token });
const read = (token: string, id: string) => call('POST', `/api/notifications/${id}/read`, { token });
const readAll = (token: string) => call('POST', '/api/notifications/read-all', { token });

describe('notifications', () => {
  it('are listed newest first, page by page, the caller’s only', async () => {
    const sent = await notify(reader, 5);
    const first = await list(reader.token, '?limit=2');
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ notifications: [sent[4], sent[3]], nextCursor: expect.any(String) });
    const second = await list(reader.token, `?limit=2&cursor=${first.body.nextCursor}`);
    const third = await list(reader.token, `?limit=2&cursor=${second.body.nextCursor}`);
    expect(second.body.notifications).toEqual([sent[2], sent[1]]);
    expect(third.body).toEqual({ notifications: [sent[0]], nextCursor: null });
    expect((await list(stranger.token)).body).toEqual({ notifications: [], nextCursor: null });
  });

  it('are marked as read one by one', async () => {
    const person = await registerUser();
    const [older, newer] = await notify(person, 2);
    const answer = await read(person.token, older?.id ?? '');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ notification: { ...older, read: true } });
    expect((await list(person.token, '?unread=true')).body.notifications).toEqual([newer]);
    expect((await list(person.token, '?unread=false')).body.notifications).toEqual([
      newer,
      { ...older, read: true },
    ]);
    // Reading again changes nothing.
    expect((await read(person.token, older?.id ?? '')).body).toEqual(answer.body);
  });

  it('are marked as read all together', async () => {
    const person = await registerUser();
    const sent = await notify(person, 30);
    await read(person.token, sent[0]?.id ?? '');
    const answer = await readAll(person.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ updated: 29 });
    expect((await list(person.token, '?unread=true')).body).toEqual({ notifications: [], nextCursor: null });
    expect((await readAll(person.token)).body).toEqual({ updated: 0 });
  });

  it('of others are not found', async () => {
    const person = await registerUser();
    const [notification] = await notify(person, 1);
    for (const id of [notification?.id ?? '', 'cnobody']) {
      const answer = await read(stranger.token, id);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: 'Notification not found' });
    }
    await readAll(stranger.token);
    expect((await list(person.token)).body.notifications).toEqual([notification]);
  });

  it('are stored once under one id', async () => {
    const person = await registerUser();
    const [notification] = await notify(person, 1);
    const again = insertNotification({ ...(notification as Notification), message: 'again' });
    await expect(write(again)).rejects.toMatchObject({ kind: 'conflict', code: 'notification-exists' });
    expect((await list(person.token)).body.notifications).toEqual([notification]);
  });
});

describe('a list', () => {
  it.each([
    ['limit=0', 'limit must be at least 1'],
    ['limit=101', 'limit must be at most 100'],
    ['limit=1.5', 'limit must be a whole number'],
    ['limit=ten', 'limit must be a number'],
    ['unread=1', 'unread must be one of true, false'],
    ['cursor=', 'cursor is not valid'],
    ['cursor=abc', 'cursor is not valid'],
    [`cursor=abc.${encodeURIComponent('é'.repeat(22))}`, 'cursor is not valid'],
    [`cursor=${'a'.repeat(2001)}`, 'cursor must have at most 2000 characters'],
  ])('refuses ?%s', async (query, error) => {
    const answer = await list(reader.token, `?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error });
  });

  it('refuses a changed cursor, and one of another list', async () => {
    await notify(reader, 2);
    const { nextCursor } = (await list(reader.token, '?limit=1')).body;
    const [text, seal] = nextCursor.split('.');
    const elsewhere = Buffer.from(text, 'base64url').toString().replace(reader.user.id, stranger.user.id);
    const forged = `${Buffer.from(elsewhere).toString('base64url')}.${seal}`;
    expect((await list(reader.token, `?limit=1&cursor=${forged}`)).status).toBe(400);
    expect((await list(stranger.token, `?limit=1&cursor=${nextCursor}`)).status).toBe(400);
    const tickets = await call('GET', `/api/tickets?cursor=${nextCursor}`, { token: reader.token });
    expect(tickets.status).toBe(400);
  });

  it.each([
    ['GET', '/api/notifications'],
    ['POST', '/api/notifications/cnobody/read'],
    ['POST', '/api/notifications/read-all'],
    ['GET', '/api/tickets'],
  ])('needs a token: %s %s', async (method, path) => {
    expect((await call(method, path)).status).toBe(401);
  });
});
