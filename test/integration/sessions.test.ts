import { beforeAll, describe, expect, it } from 'vitest';
import { findSessionVersion, insertSession } from '../../shared/accounts/auth/store.ts';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { type Person, registerUser } from '../support/fixtures.ts';
import { connectToTable } from '../support/stack.ts';

let person: Person;
beforeAll(async () => {
  connectToTable();
  person = await registerUser();
});

async function openSession(refreshToken: string, secondsLeft: number): Promise<string> {
  const id = newId();
  const expiresAt = Math.floor(Date.now() / 1000) + secondsLeft;
  await write(insertSession({ userId: person.user.id, id, refreshToken, expiresAt, version: 3 }));
  return id;
}

describe('a stored session', () => {
  it('is found by its user, its id and its refresh token', async () => {
    const sessionId = await openSession('token', 60);
    expect(await findSessionVersion(person.user.id, sessionId, 'token')).toBe(3);
    expect(await findSessionVersion(person.user.id, sessionId, 'another')).toBeUndefined();
    expect(await findSessionVersion(newId(), sessionId, 'token')).toBeUndefined();
  });

  it('is not found after it expires, although DynamoDB deletes the item later', async () => {
    const sessionId = await openSession('token', -1);
    expect(await findSessionVersion(person.user.id, sessionId, 'token')).toBeUndefined();
  });
});
