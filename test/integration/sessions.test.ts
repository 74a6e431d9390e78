import { beforeAll, describe, expect, it } from 'vitest';
import { findSession, insertSession } from '../../shared/auth/store.ts';
import { write } from '../../shared/dynamo/write.ts';
import { newId } from '../../shared/ids.ts';
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
  it('returns its user', async () => {
    const session = await openSession('token', 60);
    expect(await findSession(person.user.id, session, 'token')).toEqual(person.user);
  });

  it('expires on time, although the table may keep it for days', async () => {
    const session = await openSession('token', -1);
    expect(await findSession(person.user.id, session, 'token')).toBeUndefined();
  });

  it('belongs to one token and one user', async () => {
    const session = await openSession('token', 60);
    expect(await findSession(person.user.id, session, 'another')).toBeUndefined();
    expect(await findSession(newId(), session, 'token')).toBeUndefined();
  });
});
