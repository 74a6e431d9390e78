import bcrypt from 'bcryptjs';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { countFailure, login, refuseAfterTooManyFailures } from '../../shared/accounts/auth/login.ts';
import { freshEmail, registerUser } from '../support/fixtures.ts';
import { connectToTable } from '../support/stack.ts';

// These tests call the functions directly, to set the clock and to act between two steps of a login.

const ip = '192.0.2.1';
const tooManyAttempts = { kind: 'too-many-requests', code: 'too-many-attempts' };

beforeAll(() => connectToTable());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function countFailures(email: string, times: number): Promise<void> {
  for (let failure = 0; failure < times; failure++) await countFailure(email, ip);
}

describe('failed logins', () => {
  it('no longer count 15 minutes after the first one', async () => {
    const email = freshEmail();
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    await countFailures(email, 10);

    vi.setSystemTime(start + 14 * 60_000);
    await expect(refuseAfterTooManyFailures(email, ip)).rejects.toMatchObject(tooManyAttempts);
    await expect(countFailure(email, ip)).rejects.toMatchObject(tooManyAttempts);

    vi.setSystemTime(start + 15 * 60_000);
    await refuseAfterTooManyFailures(email, ip);
    await countFailures(email, 10);
    await expect(refuseAfterTooManyFailures(email, ip)).rejects.toMatchObject({
      ...tooManyAttempts,
      retryAfter: 900,
    });
  });

  it('from one IP address do not count for another IP address', async () => {
    const email = freshEmail();
    await countFailures(email, 10);
    await refuseAfterTooManyFailures(email, '192.0.2.2');
  });

  it('block a login whose correct password is still being compared', async () => {
    const { user, password } = await registerUser();
    const compare = bcrypt.compare;
    vi.spyOn(bcrypt, 'compare').mockImplementation(async (text: string, hash: string) => {
      await countFailures(user.email, 10);
      return compare(text, hash);
    });
    await expect(login({ email: user.email, password }, ip)).rejects.toMatchObject(tooManyAttempts);
  });
});
