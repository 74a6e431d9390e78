import { beforeAll, describe, expect, it } from 'vitest';
import { functions } from '../../infra/functions.ts';
import { cookieOf, type Person } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { requestOf } from './access/requests.ts';
import { type CallerKind, kinds, routeOf, statuses } from './access/table.ts';
import { createWorld, type World } from './access/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe('the access table', () => {
  const routes = functions.flatMap(({ trigger }) => ('route' in trigger ? [trigger.route] : []));
  const routesInTable = Object.keys(statuses).map(routeOf);

  it('has a line for every route, and no others', () => {
    expect(routes.filter((route) => !routesInTable.includes(route))).toEqual([]);
    expect(routesInTable.filter((route) => !routes.some((known) => known === route))).toEqual([]);
  });

  it('has a status for every kind of caller in each line', () => {
    for (const [line, expected] of Object.entries(statuses))
      expect(expected, line).toHaveLength(kinds.length);
  });
});

/** The lines before them end the sessions of the callers, or replace their tokens. Some of the others need one. */
const linesWithNewSessions = ['POST /api/auth/confirm', 'POST /api/keys'];

/** Logs the callers with an account in again. */
async function renewSessions({ callers }: World): Promise<void> {
  for (const kind of kinds) {
    const { user, password } = callers[kind] as Partial<Person>;
    if (!user) continue;
    const answer = await call('POST', '/api/auth/login', { body: { email: user.email, password } });
    callers[kind] = { ...callers[kind], token: answer.body.token, cookie: cookieOf(answer) };
  }
}

describe('every kind of caller', () => {
  it.each(Object.keys(statuses))('of %s gets the status in the table', async (line) => {
    if (linesWithNewSessions.includes(line)) await renewSessions(world);
    const answers: [string, number][] = [];
    for (const kind of kinds) {
      const { method, path, body } = requestOf(line, world);
      const answer = await call(method, path, { ...world.callers[kind], body });
      answers.push([kind, answer.status]);
      if (answer.status >= 400 && !isPage(line)) expect(answer.body).toEqual({ error: expect.any(String) });
      if (outsiders.has(kind)) expectTextsAbsent(answer.body, world.secrets, line);
      // Door staff may see names and orders.
      if (kind === 'door') expectTextsAbsent(answer.body, [world.owner.user.email, world.checkInCode], line);
    }
    expect(answers).toEqual(kinds.map((kind, index) => [kind, statuses[line]?.[index]]));
  });
});

/** Whether the line's answer is a page of the storefront, which has its own 404 page. */
const isPage = (line: string) => line.startsWith('GET /events/');

/** Callers who must not see the owner's secrets. The seat of `pastHolder` and `holder` belongs to another order. */
const outsiders = new Set<CallerKind>(['stranger', 'rival', 'pastHolder', 'holder']);

/** Checks that an answer contains none of the owner's texts. */
function expectTextsAbsent(body: unknown, texts: readonly string[], line: string): void {
  // The line logs in with the owner's password, so it returns the owner's data.
  if (line === 'POST /api/auth/login') return;
  // Whoever has the link of an offer sees who made it.
  if (line === 'GET /api/transfers/{token}') return;
  for (const text of texts) expect(JSON.stringify(body)).not.toContain(text);
}
