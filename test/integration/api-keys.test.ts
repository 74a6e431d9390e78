import { describe, expect, it } from 'vitest';
import { isWellFormed, newSecret } from '../../shared/accounts/api-keys/api-key.ts';
import { grantRole } from '../../shared/accounts/users/change-user.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { openSale, registerUser } from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

describe('an API key', () => {
  it('shows its secret once, and is listed without it until it is deleted', async () => {
    const { organizer } = await openSale();
    const { status, body } = await organizer.post('/api/keys', { name: 'CRM', scopes: ['orders:read'] });
    expect(status).toBe(201);
    expect(isWellFormed(body.secret)).toBe(true);
    expect(body.key).toMatchObject({
      name: 'CRM',
      scopes: ['orders:read'],
      eventIds: null,
      lastUsedAt: null,
    });
    expect(body.secret.startsWith(body.key.prefix)).toBe(true);
    const listed = await organizer.get('/api/keys');
    expect(listed.body.keys).toEqual([body.key]);
    expect(JSON.stringify(listed.body)).not.toContain(body.secret.slice(20));

    expect((await organizer.delete(`/api/keys/${body.key.id}`)).status).toBe(200);
    expect((await organizer.get('/api/keys')).body.keys).toEqual([]);
    // No execution environment has read the key before.
    expect(errorOf(await call('GET', '/api/events', { token: body.secret }))).toEqual([401, 'invalid-token']);
    expect(errorOf(await organizer.delete(`/api/keys/${body.key.id}`))).toEqual([404, 'key-not-found']);
  });

  it('records its last use', async () => {
    const { organizer, event } = await openSale();
    const { secret } = (await organizer.post('/api/keys', { name: 'Site', scopes: ['events:read'] })).body;
    expect((await call('GET', `/api/events/${event.id}`, { token: secret })).status).toBe(200);
    const [{ lastUsedAt }] = (await organizer.get('/api/keys')).body.keys;
    expect(Date.parse(lastUsedAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  it.each([
    ['unknown', newSecret()],
    ['mistyped', `${newSecret().slice(0, -1)}x`],
    ['no', 'bxo_live_'],
  ])('that is %s key is refused', async (_, token) => {
    expect(errorOf(await call('GET', '/api/events', { token }))).toEqual([401, 'invalid-token']);
  });

  it('is refused when its owner is no organizer any more', async () => {
    const { organizer } = await openSale();
    const { secret } = (await organizer.post('/api/keys', { name: 'Site', scopes: ['events:read'] })).body;
    connectToTable();
    await grantRole({ email: organizer.user.email, role: 'USER' });
    expect(errorOf(await call('GET', '/api/events', { token: secret }))).toEqual([401, 'invalid-token']);
  });

  it('is refused when its owner has closed the account', async () => {
    const organizer = await registerUser({ role: 'ORGANIZER' });
    const { secret } = (await organizer.post('/api/keys', { name: 'Site', scopes: ['events:read'] })).body;
    connectToTable();
    await write(update(keys.user(organizer.user.id), { set: { email: '' } }));
    expect(errorOf(await call('GET', '/api/events', { token: secret }))).toEqual([401, 'invalid-token']);
  });

  it('may be used 600 times a minute', async () => {
    const { organizer } = await openSale();
    const { secret } = (await organizer.post('/api/keys', { name: 'Loop', scopes: ['webhooks:write'] })).body;
    const answers: [number, string | null][] = [];
    // The endpoint refuses the scope, after it has counted the request. A minute may end in between.
    while (answers.length < 1300 && !answers.some(([status]) => status === 429)) {
      const batch = Array.from({ length: 40 }, () => call('GET', '/api/events', { token: secret }));
      for (const { status, headers } of await Promise.all(batch))
        answers.push([status, headers.get('retry-after')]);
    }
    const [limited] = answers.filter(([status]) => status === 429);
    expect(Number(limited?.[1])).toBeGreaterThan(0);
    expect(answers.filter(([status]) => status === 403).length).toBeGreaterThanOrEqual(600);
  });

  it('can be limited to own events only, and there are at most 50', async () => {
    const [{ organizer }, { event }] = await Promise.all([openSale(), openSale()]);
    const key = { name: 'CRM', scopes: ['orders:read'] };
    expect(errorOf(await organizer.post('/api/keys', { ...key, eventIds: [event.id] }))).toEqual([
      404,
      'event-not-found',
    ]);
    expect(errorOf(await organizer.post('/api/keys', { ...key, expiresAt: '2020-01-01T00:00:00Z' }))).toEqual(
      [400, 'invalid-input'],
    );
    for (let count = 0; count < 50; count++)
      expect((await organizer.post('/api/keys', key)).status).toBe(201);
    expect(errorOf(await organizer.post('/api/keys', key))).toEqual([409, 'too-many-keys']);
    const stranger = await registerUser();
    expect(errorOf(await stranger.post('/api/keys', key))).toEqual([403, 'forbidden']);
  });
});
