import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, registerAdmin, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';

let admin: Person;
let user: Person;
beforeAll(async () => {
  [admin, user] = await Promise.all([registerAdmin(), registerUser()]);
});

const statusOfRefresh = async (cookie: string) =>
  (await call('POST', '/api/auth/refresh-token', { cookie })).status;
const endSessions = (id: string, token?: string) => call('DELETE', `/api/users/${id}/sessions`, { token });
const setKyc = (id: string, status: unknown, token?: string) =>
  call('PUT', `/api/users/${id}/kyc`, { token, body: { status } });

describe('DELETE /api/users/{id}/sessions', () => {
  it('is allowed for the user', async () => {
    const person = await registerUser();
    const answer = await endSessions(person.user.id, person.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'All sessions ended' });
    expect(await statusOfRefresh(person.cookie)).toBe(401);
  });

  it('is allowed for administrators', async () => {
    const person = await registerUser();
    expect((await endSessions(person.user.id, admin.token)).status).toBe(200);
    expect(await statusOfRefresh(person.cookie)).toBe(401);
    expect(await statusOfRefresh(admin.cookie)).toBe(200);
  });

  it('is refused for other users', async () => {
    const organizer = await registerUser({ role: 'ORGANIZER' });
    const answer = await endSessions(user.user.id, organizer.token);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error: 'User not found' });
    expect((await endSessions(user.user.id)).status).toBe(401);
    expect(await statusOfRefresh(user.cookie)).toBe(200);
  });

  it('returns the same 404 for an unknown user', async () => {
    expect((await endSessions('cnobody', user.token)).status).toBe(404);
    const answer = await endSessions('cnobody', admin.token);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error: 'User not found' });
  });
});

describe('PUT /api/users/{id}/kyc', () => {
  it.each(['PENDING', 'VERIFIED', 'REJECTED', 'NONE'])('sets the user’s KYC status to %s', async (status) => {
    const answer = await setKyc(user.user.id, status, admin.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ user: { ...user.user, kycStatus: status } });
    const me = await call('GET', '/api/auth/me', { token: user.token });
    expect(me.body).toEqual({ user: { ...user.user, kycStatus: status } });
  });

  it('is allowed for administrators only', async () => {
    const organizer = await registerUser({ role: 'ORGANIZER' });
    expect((await setKyc(user.user.id, 'VERIFIED', user.token)).status).toBe(403);
    expect((await setKyc(user.user.id, 'VERIFIED', organizer.token)).status).toBe(403);
    expect((await setKyc(user.user.id, 'VERIFIED')).status).toBe(401);
    const me = await call('GET', '/api/auth/me', { token: user.token });
    expect(me.body.user.kycStatus).toBe('NONE');
  });

  it.each(['verified', '', null, 1])('refuses the status %j with 400', async (status) => {
    const answer = await setKyc(user.user.id, status, admin.token);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe('status must be one of NONE, PENDING, VERIFIED, REJECTED');
  });

  it('returns 404 for an unknown user', async () => {
    expect((await setKyc('cnobody', 'VERIFIED', admin.token)).status).toBe(404);
  });
});
