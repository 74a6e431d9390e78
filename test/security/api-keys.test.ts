import { beforeAll, describe, expect, it } from 'vitest';
import { type Operation, readOperations } from '../../infra/openapi/operations.ts';
import { type Scope, scopes } from '../../shared/accounts/api-keys/api-key.ts';
import { eventually } from '../support/eventually.ts';
import {
  addStaff,
  buyTickets,
  openSale,
  type Person,
  readCheckInCodes,
  registerUser,
} from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';
import { mailsTo } from '../support/mailbox.ts';
import { requestOf } from './access/requests.ts';
import { createWorld, type World } from './access/world.ts';

let world: World;
let organizer: Person;
let operations: Operation[];
/** A key with each scope alone, and one without each. */
const secrets = new Map<Scope, string>();
const secretsWithout = new Map<Scope | undefined, string>();
/** A key with all scopes that is limited to another event of the organizer. */
let otherEventKey: string;
/** A key of another organizer, who is on the staff of the event, with all scopes. */
let otherOrganizerKey: string;

beforeAll(async () => {
  [world, operations] = await Promise.all([createWorld(), readOperations()]);
  organizer = world.callers.organizer as Person;
  for (const scope of scopes) secrets.set(scope, await createKey(organizer, { scopes: [scope] }));
  for (const missing of [...scopes, undefined]) {
    const others = scopes.filter((scope) => scope !== missing);
    secretsWithout.set(missing, await createKey(organizer, { scopes: others }));
  }
  otherEventKey = await createKey(organizer, { scopes, eventIds: [world.draftEventId] });
  const rival = await registerUser({ role: 'ORGANIZER' });
  await addStaff(organizer, world.eventId, rival, 'manager');
  otherOrganizerKey = await createKey(rival, { scopes });
});

async function createKey({ post }: Person, fields: object): Promise<string> {
  return (await post('/api/keys', { name: 'Test', ...fields })).body.secret;
}

async function send({ method, path }: Operation, token: string | undefined) {
  const line = `${method} ${path}`;
  const request = requestOf(line, world);
  return call(request.method, request.path, { ...(token && { token }), body: request.body });
}

const isOpenToAll = ({ contract: { caller } }: Operation) => caller === 'anyone' || caller === 'gateway';

describe('an API key', () => {
  it('is refused with all other scopes by an endpoint that names one, and with all scopes by one that names none', async () => {
    const results: unknown[] = [];
    for (const operation of operations.filter((each) => !isOpenToAll(each))) {
      const answer = await send(
        operation,
        secretsWithout.get(operation.contract.apiKey?.scope as Scope | undefined),
      );
      if (answer.status !== 403 || answer.headers.get('x-error-code') !== 'scope-missing')
        results.push([operation.method, operation.path, answer.status]);
    }
    expect(results).toEqual([]);
  });

  it('changes nothing where tokens are ignored', async () => {
    const results: unknown[] = [];
    for (const operation of operations.filter(isOpenToAll)) {
      const [withKey, without] = [await send(operation, otherEventKey), await send(operation, undefined)];
      if (withKey.status !== without.status) results.push([operation.method, operation.path, withKey.status]);
    }
    expect(results).toEqual([]);
  });

  const isAboutEvent = ({ path }: Operation) => /\{id\}|check-in/.test(path);

  it.each(['another event', 'another organizer'])('of %s gets 404', async (kind) => {
    const results: unknown[] = [];
    for (const operation of operations.filter((each) => each.contract.apiKey && isAboutEvent(each))) {
      const answer = await send(operation, kind === 'another event' ? otherEventKey : otherOrganizerKey);
      // A key of some events has nothing to do with endpoints, which are for all of them.
      const isRefused = kind === 'another event' && operation.path.includes('webhook-endpoints');
      if (answer.status !== (isRefused ? 403 : 404))
        results.push([operation.method, operation.path, answer.status]);
    }
    expect(results).toEqual([]);
  });

  it('acts as the organizer where its scope opens the endpoint', async () => {
    const results: unknown[] = [];
    const opened = operations
      .filter(({ contract }) => contract.apiKey)
      .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'));
    for (const operation of opened) {
      const answer = await send(operation, secrets.get(operation.contract.apiKey?.scope as Scope));
      // 409: the event has orders, or an earlier line has admitted the seat.
      if (answer.status >= 300 && answer.status !== 409)
        results.push([operation.method, operation.path, answer.status, answer.body]);
    }
    expect(results).toEqual([]);
    expect(opened.length).toBeGreaterThan(15);
  });

  it('lists the organizer’s events that it covers, and no others', async () => {
    const own = await call('GET', '/api/events?limit=100', { token: secrets.get('events:read') as string });
    expect(
      own.body.events.every((event: { organizerId: string }) => event.organizerId === organizer.user.id),
    ).toBe(true);
    const some = await call('GET', '/api/events', { token: otherEventKey });
    expect(some.body.events.map(({ id }: { id: string }) => id)).toEqual([world.draftEventId]);
  });

  it('is no person: it does not show its owner’s own orders and codes', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, organizer, 1);
    const [code] = await readCheckInCodes(organizer, orderId);
    const token = secrets.get('orders:read') as string;
    expect(errorOf(await call('GET', `/api/orders/${orderId}`, { token }))).toEqual([404, 'order-not-found']);
    const scanner = { token: secrets.get('check-in') as string, body: { code } };
    expect(errorOf(await call('POST', '/api/tickets/check-in', scanner))).toEqual([404, 'order-not-found']);
  });

  it('does not get the answer to a refund that its owner requested with the same Idempotency-Key', async () => {
    const sale = await openSale({ organizer });
    const { orderId } = await buyTickets(sale, await registerUser(), 1);
    const request = { headers: { 'idempotency-key': `refund ${orderId}` }, body: { amount: 1 } };
    const refund = (token: string) => call('POST', `/api/orders/${orderId}/refund`, { ...request, token });
    expect((await refund(organizer.token)).status).toBe(200);
    expect(errorOf(await refund(otherEventKey))).toEqual([409, 'idempotency-key-reused']);
    expect((await refund(organizer.token)).status).toBe(200);
  });

  it('reads addresses at the door only where it may read orders', async () => {
    const { eventId } = world;
    const search = async (scope: Scope | readonly Scope[], q: string) => {
      const token =
        typeof scope === 'string' ? secrets.get(scope) : await createKey(organizer, { scopes: scope });
      return (await call('GET', `/api/events/${eventId}/admissions?q=${q}`, { token: token as string })).body
        .orders;
    };
    const [found] = await search(['check-in', 'orders:read'], '');
    expect(found.customerEmail).toContain('@');
    const [shown] = await search('check-in', '');
    expect(shown).toMatchObject({ orderId: found.orderId, customerName: found.customerName });
    expect(shown).not.toHaveProperty('customerEmail');
    expect(await search('check-in', found.customerEmail)).toEqual([]);
  });

  it('that adds a webhook endpoint, or changes its address, has its organizer mailed', async () => {
    const person = await registerUser({ role: 'ORGANIZER' });
    const token = await createKey(person, { scopes: ['webhooks:write'] });
    const countMails = async () =>
      (await mailsTo(person.user.email)).filter(({ subject }) => subject.startsWith('A webhook address'))
        .length;
    const body = { url: 'https://example.com/hooks', types: ['order.completed'] };
    const { id } = (await call('POST', '/api/webhook-endpoints', { token, body })).body.endpoint;
    await eventually('a mail about the endpoint', async () => (await countMails()) === 1);
    const path = `/api/webhook-endpoints/${id}`;
    await call('PUT', path, { token, body: { ...body, description: 'The CRM' } });
    await call('PUT', path, { token, body: { ...body, url: 'https://example.com/elsewhere' } });
    await eventually('a mail about the address', async () => (await countMails()) === 2);
  });
});
