import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FunctionRow, functions } from '../../infra/functions.ts';
import { call } from '../support/http.ts';
import { sharedStack } from '../support/stack.ts';
import { type Contract, requestsTo } from './fuzz/requests.ts';
import { send, type WireRequest } from './fuzz/send.ts';
import { Tally } from './fuzz/tally.ts';
import { faultOf } from './fuzz/verdict.ts';
import { signedWebhooks, unsignedWebhooks } from './fuzz/webhooks.ts';
import { createWorld, type World } from './fuzz/world.ts';

/**
 * Every endpoint under hostile requests: no 5xx, no data of other users, errors in the agreed format. `npm test`
 * sends a few to each; `npm run fuzz` sends FUZZ_CASES, prints the statuses, and counts answers that take over a
 * second. FUZZ_SEED determines the requests; a failure prints it.
 */
const routes = functions.flatMap(({ entry, trigger }) =>
  'route' in trigger ? [[routeOf(trigger), entry] as const] : [],
);
const isLong = process.env.FUZZ_CASES !== undefined;
const casesEach = Math.ceil(Number(process.env.FUZZ_CASES ?? 800) / (routes.length + 3));
const seed = Number(process.env.FUZZ_SEED ?? (isLong ? Date.now() % 2 ** 31 : 1));
const timeout = 60_000 + casesEach * 1_000;

const tally = new Tally();
let world: World;
let before: unknown;

beforeAll(async () => {
  world = await createWorld();
  before = await world.victimsData();
}, timeout);
afterAll(() => console.log(`seed ${seed}\n${tally}`));

function routeOf({ route }: Extract<FunctionRow['trigger'], { route: string }>): string {
  return route === '$default' ? 'GET /api/{id}/nothing/here' : route;
}

async function contractOf(entry: string): Promise<Contract> {
  const file = path.resolve(import.meta.dirname, `../../functions/${entry}.ts`);
  const { handler } = await import(/* @vite-ignore */ file);
  return handler.contract ?? {};
}

async function attack(name: string, requests: fc.Arbitrary<WireRequest>): Promise<void> {
  const { apiUrl } = sharedStack();
  const attempt = async (wanted: WireRequest) => {
    const answer = await send(apiUrl, wanted);
    tally.add(name, answer, isLong && answer.milliseconds > 1_000 && (await isSlow(wanted)));
    expect(faultOf(wanted, answer, world)).toBeUndefined();
  };
  await fc.assert(fc.asyncProperty(requests, attempt), { numRuns: casesEach, seed, endOnFailure: isLong });
}

/**
 * Returns whether a request is slow on each of three repetitions: the first may have waited for a cold start or for
 * others.
 */
async function isSlow(wanted: WireRequest): Promise<boolean> {
  for (let round = 0; round < 3; round++) {
    if ((await send(sharedStack().apiUrl, wanted)).milliseconds <= 1_000) return false;
  }
  return true;
}

it('sends requests to the loopback address only', () => {
  expect(new URL(sharedStack().apiUrl).hostname).toBe('localhost');
});

it('the victims’ owners see all their canaries', () => {
  const shown = JSON.stringify(before);
  for (const canary of world.canaries.filter((one) => one !== world.account)) expect(shown).toContain(canary);
});

describe('hostile requests', () => {
  it.concurrent.each(routes)(
    'to %s',
    async (route, entry) => {
      const requests = route.includes('/webhooks/')
        ? unsignedWebhooks(route, world)
        : requestsTo(route, await contractOf(entry), world);
      await attack(route, requests);
    },
    timeout,
  );

  it.concurrent.each(routes.filter(([route]) => route.includes('/webhooks/')))(
    'signed, to %s',
    async (route) => {
      await attack(`${route} (signed)`, signedWebhooks(route, world));
    },
    timeout,
  );
});

describe('after all requests', () => {
  it('the victims’ data is unchanged', async () => {
    expect(await world.victimsData()).toEqual(before);
  });

  it('no answer shows a full bank account number', () => {
    expect(JSON.stringify(before)).not.toContain(world.account);
  });

  it('the service is healthy', async () => {
    expect((await call('GET', '/api/health')).status).toBe(200);
  });

  if (isLong) {
    it('no request takes more than a second on a warm function', () => expect(tally.slow).toBe(0));
  }
});
