import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readOperations } from '../../infra/openapi/operations.ts';
import { documentClient } from '../../shared/dynamo/read.ts';
import { stopNewAccountPayouts } from '../../shared/money/payouts/stop-payouts.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  confirmAddress,
  createCaller,
  expectStatus,
  openSale,
  type Person,
  readBalance,
  registerAdmin,
  registerUser,
} from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';
import { freshRequests, staleRoutes } from './access/table.ts';

/** What moves money or rights needs a fresh session where STEP_UP is `true`. */

const accessKey = 'step-up-access-key-51b7';
let stack: SeparateStack;
let organizer: Person;
let admin: Person;
let eventId: string;
beforeAll(async () => {
  stack = await startStack({
    env: { STEP_UP: 'true', NEW_ACCOUNT_HOURS: '1', JWT_ACCESS_SECRET: accessKey },
  });
  organizer = await registerUser({ role: 'ORGANIZER' }, stack);
  admin = await registerAdmin(stack);
  eventId = await createEvent(organizer);
});
afterAll(() => stack?.stop());

async function createEvent({ post }: Person): Promise<string> {
  const event = { title: 'Fresh', venue: 'Club', startDate: '2030-01-01' };
  return expectStatus(201, await post('/api/events', event)).event.id;
}

/** Returns a token whose session was confirmed some seconds ago. */
function confirmedAgo({ token }: Person, seconds: number): string {
  const { confirmedAt, ...claims } = jwt.verify(token, accessKey) as jwt.JwtPayload;
  return jwt.sign({ ...claims, confirmedAt: Math.floor(Date.now() / 1000) - seconds }, accessKey);
}

const refresh = async ({ post, cookie }: Person): Promise<string> =>
  expectStatus(200, await post('/api/auth/refresh-token', undefined, { cookie })).token;

const request = (line: string, { user }: Person, token: string) => {
  const [method = '', path = ''] = line.split(' ');
  const id = path.startsWith('/api/users') ? user.id : path.includes('passkeys') ? 'unknown' : eventId;
  const body = freshRequests[line];
  return call(method, path.replace('{id}', id), { token, apiUrl: stack.apiUrl, ...(body && { body }) });
};
const userCallers = ['user', 'organizer', 'admin', 'optional', 'guest'];
const isForAdmins = (line: string) => line.endsWith('/factors');
const logInAgain = async ({ user, password, post }: Person) =>
  expectStatus(200, await post('/api/auth/login', { email: user.email, password })).token;
const confirm = ({ post }: Person, body: object, token: string) => post('/api/auth/confirm', body, { token });
const clearWallet = ({ patch }: Person) => patch('/api/auth/me', { walletAddress: null });

describe('requests that need a fresh session', () => {
  it('are those of the table', async () => {
    const routes = (await readOperations()).flatMap(({ contract }) =>
      contract.fresh ? [contract.route] : [],
    );
    expect(routes.toSorted()).toEqual(Object.keys(freshRequests).toSorted());
  });

  it('are all by which users change something, but for those that have a reason', async () => {
    const changes = (await readOperations()).flatMap(({ method, contract: { route, caller } }) =>
      method !== 'GET' && userCallers.includes(caller) ? [route as string] : [],
    );
    const classified = [...Object.keys(freshRequests), ...Object.values(staleRoutes).flat()];
    expect(classified.toSorted()).toEqual(changes.toSorted());
  });

  it.each(Object.keys(freshRequests))('%s is refused in a stale session', async (line) => {
    const person = isForAdmins(line) ? admin : organizer;
    for (const token of [await refresh(person), confirmedAgo(person, 601)]) {
      const answer = await request(line, person, token);
      expect(errorOf(answer)).toEqual([403, 'confirmation-required']);
      expect(answer.headers.get('x-confirm-with')).toBe('password');
    }
  });

  it.each(Object.keys(freshRequests))('%s is not refused for it in a fresh session', async (line) => {
    const person = isForAdmins(line) ? admin : await registerUser({ role: 'ORGANIZER' }, stack);
    for (const token of [confirmedAgo(person, 590), await logInAgain(person)]) {
      expect(errorOf(await request(line, person, token))[1]).not.toBe('confirmation-required');
      // The first request has closed the account.
      if (line.endsWith('/erasure')) return;
    }
  });

  it('leaves names and the staff at the door to a stale session', async () => {
    const token = await refresh(organizer);
    const options = { token, apiUrl: stack.apiUrl };
    expect((await call('PATCH', '/api/auth/me', { ...options, body: { name: 'New Name' } })).status).toBe(
      200,
    );
    const door = { email: 'door@example.com', role: 'door' };
    expect((await call('POST', `/api/events/${eventId}/staff`, { ...options, body: door })).status).toBe(201);
  });
});

describe('a confirmation', () => {
  it('makes the session fresh, with the password only', async () => {
    const stale = await refresh(organizer);
    expect(errorOf(await confirm(organizer, { password: 'wrong' }, stale))).toEqual([
      401,
      'wrong-credentials',
    ]);
    const { token } = expectStatus(200, await confirm(organizer, { password: organizer.password }, stale));
    expect((await request('PATCH /api/auth/me', organizer, token)).status).toBe(200);
  });

  it('is limited to ten tries', async () => {
    const person = await registerUser({}, stack);
    const tries = Array.from({ length: 12 }, () => confirm(person, { password: 'guess' }, person.token));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    const late = await confirm(person, { password: person.password }, person.token);
    expect(errorOf(late)).toEqual([429, 'too-many-attempts']);
  });

  it('is refused to a session that was ended, and its fresh token ends with it', async () => {
    const person = await registerUser({}, stack);
    expect((await clearWallet(person)).status).toBe(200);
    await person.post('/api/auth/logout', undefined, { cookie: person.cookie });
    expect(errorOf(await clearWallet(person))).toEqual([401, 'invalid-token']);
    const answer = await confirm(person, { password: person.password }, person.token);
    expect(errorOf(answer)).toEqual([401, 'invalid-token']);
  });

  it('survives the addition of a guest’s orders, but does not begin with it', async () => {
    const person = await registerUser({}, stack);
    await confirmAddress(person);
    for (const [token, status] of [
      [await refresh(person), 403],
      [person.token, 200],
    ] as const) {
      const attached = expectStatus(200, await person.post('/api/auth/orders', undefined, { token })).token;
      expect((await request('PATCH /api/auth/me', person, attached)).status).toBe(status);
    }
  });
});

describe('the first payouts to a bank account', () => {
  it('wait, and the mailed link stops them and ends all sessions', async () => {
    const person = await registerUser({ role: 'ORGANIZER' }, stack);
    await buyTickets(await openSale({ organizer: person }), await registerUser({}, stack), 1);
    await eventually('the sale is posted', async () => (await readBalance(person)).available === 50);
    const body = freshRequests['POST /api/payouts'] as object;
    for (let count = 0; count < 2; count++) {
      const { payout } = expectStatus(201, await person.post('/api/payouts', body));
      expect(payout).toMatchObject({ status: 'PENDING', waitsFor: 'new-account' });
    }
    const mail = await awaitMail(person.user.email, 'A payout to a new bank account', stack);
    const token = /stop-payouts\?token=([\w-]{43})/.exec(mail.body.text)?.[1];
    await stack.sweep();
    expect((await person.get('/api/payouts')).body.payouts).toMatchObject([{ attempts: 0 }, { attempts: 0 }]);

    const stop = (guess: string | undefined) =>
      createCaller(undefined, stack).post('/api/payouts/stop', { token: guess });
    expect(errorOf(await stop('guessed'))).toEqual([400, 'invalid-stop-token']);
    // A thief who logged in thousands of times can't keep the payouts from being stopped.
    connectToTable(stack);
    documentClient().middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          if (commandName.startsWith('Delete') && JSON.stringify(args.input).includes('SESSION#'))
            throw new Error('No time left');
          return next(args);
        },
      { name: 'sessionsStay', step: 'initialize' },
    );
    onTestFinished(() => void documentClient().middlewareStack.remove('sessionsStay'));
    await expect(stopNewAccountPayouts(token ?? '')).rejects.toThrow('No time left');
    expect((await person.get('/api/payouts')).body.payouts).toMatchObject([
      { status: 'FAILED' },
      { status: 'FAILED' },
    ]);
    expect((await stop(token)).status).toBe(200);
    expect(errorOf(await stop(token))).toEqual([400, 'invalid-stop-token']);
    const { payouts } = (await person.get('/api/payouts')).body;
    expect(payouts).toMatchObject([
      { status: 'FAILED', waitsFor: null },
      { status: 'FAILED', waitsFor: null },
    ]);
    expect(await readBalance(person)).toMatchObject({ available: 50, pending: 0 });
    const { cookie, post } = person;
    expect((await post('/api/auth/refresh-token', undefined, { cookie })).status).toBe(401);
    expect(errorOf(await post('/api/payouts', body))).toEqual([401, 'invalid-token']);
    // The account is new again.
    const again = createCaller(await logInAgain(person), stack);
    expect(expectStatus(201, await again.post('/api/payouts', body)).payout.waitsFor).toBe('new-account');
  });
});
