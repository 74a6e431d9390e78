import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http.ts';
import { type Person, registerUser } from '../support/people.ts';
import { initializeOrder, openSale } from '../support/sales.ts';

let owner: Person;
let other: Person;
let cursor: string;

const list = ({ token }: Person, path: string, text: string) =>
  call('GET', `/api/${path}?limit=1&cursor=${encodeURIComponent(text)}`, { token });

beforeAll(async () => {
  const [sale, ...people] = await Promise.all([openSale(), registerUser(), registerUser()]);
  [owner, other] = people;
  await Promise.all([
    initializeOrder(sale, owner, 1),
    initializeOrder(sale, owner, 1),
    initializeOrder(sale, other, 1),
    initializeOrder(sale, other, 1),
  ]);
  cursor = (await call('GET', '/api/orders?limit=1', { token: owner.token })).body.nextCursor;
});

const refused = [400, { error: 'cursor is not valid' }];

describe('a cursor', () => {
  it('continues the list that returned it', async () => {
    const next = await list(owner, 'orders', cursor);
    expect([next.status, next.body.orders.length]).toEqual([200, 1]);
  });

  it('is refused in another list, and in another user’s', async () => {
    for (const [person, path] of [
      [other, 'orders'],
      [owner, 'notifications'],
      [owner, 'events'],
    ] as const) {
      const { status, body } = await list(person, path, cursor);
      expect([status, body], path).toEqual(refused);
    }
  });

  it('is refused when changed, truncated or signed with another key', async () => {
    const [text = '', seal = ''] = cursor.split('.');
    const places = Array.from({ length: cursor.length }, (_, index) => index).filter((at) => at % 5 === 0);
    const changed = places.map(
      (at) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    );
    const position = JSON.parse(Buffer.from(text, 'base64url').toString());
    const elsewhere = Buffer.from(JSON.stringify({ ...position, ownerPk: `USER#${other.user.id}#ORDERS` }));
    const forged = [
      text,
      `${cursor}.x`,
      `${text}.`,
      `.${seal}`,
      `${elsewhere.toString('base64url')}.${seal}`,
      '',
      '.',
      '..',
    ];
    for (const one of [...changed, ...forged, cursor.slice(0, -1)]) {
      const { status, body } = await list(owner, 'orders', one);
      expect([status, body], one).toEqual(refused);
    }
  });
});
