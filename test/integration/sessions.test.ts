import { beforeAll, describe, expect, it } from 'vitest';
import { insertSession, isSessionCurrent } from '../../shared/auth/store.ts';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { type Person, registerUser } from '../support/people.ts';
import { useTableOf } from '../support/table.ts';

let person: Person;
beforeAll(async () => {
  useTableOf();
  person = await registerUser();
});

async function openSession(token: string, secondsLeft: number): Promise<string> {
  const sessionId = newId();
  await write(insertSession(person.user.id, sessionId, token, Math.floor(Date.now() / 1000) + secondsLeft));
  return sessionId;
}

describe('a stored session', () => {
  it('is current for its user and its token', async () => {
    const session = await openSession('token', 60);
    expect(await isSessionCurrent(person.user.id, session, 'token')).toBe(true);
    expect(await isSessionCurrent(person.user.id, session, 'another')).toBe(false);
    expect(await isSessionCurrent(newId(), session, 'token')).toBe(false);
  });

  it('ends when it expires, although the table may keep its item for days', async () => {
    const session = await openSession('token', -1);
    expect(await isSessionCurrent(person.user.id, session, 'token')).toBe(false);
  });
});
