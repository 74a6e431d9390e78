import { describe, expect, it } from 'vitest';
import { freshEmail, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { runOps } from '../support/stack.ts';

const runGrantRole = (email: string, role: string) =>
  runOps(['grant-role', '--email', email, '--role', role]);

describe('npm run grant-role', () => {
  it('grants a role, which the next access token contains', async () => {
    const { user, token, cookie } = await registerUser();
    const { stdout } = await runGrantRole(user.email.toUpperCase(), 'ORGANIZER');
    expect(stdout).toBe(`${user.email} is ORGANIZER from the next login or token refresh on.\n`);
    const refreshAnswer = await call('POST', '/api/auth/refresh-token', { cookie });
    const body = { title: 'Concert', venue: 'Hall', startDate: '2030-01-01T20:00:00Z' };
    expect((await call('POST', '/api/events', { token, body })).status).toBe(403);
    expect((await call('POST', '/api/events', { token: refreshAnswer.body.token, body })).status).toBe(201);
  });

  it.each([
    ['an unregistered user', () => freshEmail(), 'ADMIN', 'User not found\n'],
    ['an invalid e-mail', () => 'ann', 'ADMIN', 'Invalid email format\n'],
    ['an unknown role', () => freshEmail(), 'ROOT', 'role must be one of USER, ORGANIZER, ADMIN\n'],
  ])('refuses %s with one sentence on stderr', async (_, email, role, stderr) => {
    await expect(runGrantRole(email(), role)).rejects.toMatchObject({ code: 1, stderr });
  });
});
