import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FunctionRow, functions } from '../../infra/functions.ts';
import { call } from '../support/http.ts';
import { sharedStack } from '../support/stack.ts';
import { findFault, send, Tally, type WireRequest } from './fuzz/answers.ts';
import { type Contract, requestsTo, signedWebhooks, unsignedWebhooks } from './fuzz/requests.ts';
import { createWorld, type World } from './fuzz/world.ts';

/**
 * Sends hostile requests to every endpoint, and expects no 5xx, no data of other users, and errors in the documented
 * format. `npm test` sends a few requests to each endpoint. `npm run nightly -- fuzz` sends FUZZ_CASES in all, and also prints the
 * statuses and counts answers that take over a second. FUZZ_SEED determines the requests. A failure prints it.
 */
const routes = functions.flatMap(({ entry, trigger }) =>
  'route' in trigger ? [[routeOf(trigger), entry] as const] : [],
);
const isLong = process.env.FUZZ_CASES !== undefined;
const webhookRoutes = routes.filter(([route]) => route.includes('/webhooks/'));
// Webhooks get two series of requests, unsigned and signed.
const seriesCount = routes.length + webhookRoutes.length;
const casesPerSeries = Math.ceil(Number(process.env.FUZZ_CASES ?? 800) / seriesCount);
const seed = Number(process.env.FUZZ_SEED ?? (isLong ? Date.now() % 2 ** 31 : 1));
const timeout = 60_000 + casesPerSeries * 1_000;

const tally = new Tally();
let world: World;
let victimsDataBefore: unknown;

beforeAll(async () => {
  world = await createWorld();
  victimsDataBefore = await world.readVictimsData();
});
afterAll(() => console.log(`seed ${seed}\n${tally}`));

function routeOf({ route }: Extract<FunctionRow['trigger'], { route: string }>): string {
  // `$default` receives the requests to unknown paths.
  return route === '$default' ? 'GET /api/{id}/nothing/here' : route;
}

async function contractOf(entry: string): Promise<Contract> {
  const file = path.resolve(import.meta.dirname, `../../functions/${entry}.ts`);
  const { handler } = await import(/* @vite-ignore */ file);
  return handler.definition;
}

async function attack(name: string, requests: fc.Arbitrary<WireRequest>): Promise<void> {
  const { apiUrl } = sharedStack();
  const attempt = async (request: WireRequest) => {
    const answer = await send(apiUrl, request);
    tally.add(name, answer, isLong && answer.milliseconds > 1_000 && (await isSlow(request)));
    expect(findFault(request, answer, world)).toBeUndefined();
  };
  await fc.assert(fc.asyncProperty(requests, attempt), {
    numRuns: casesPerSeries,
    seed,
    endOnFailure: isLong,
  });
}

/**
 * Returns whether each of three repetitions of a request is slow. The first request may have waited for a cold start or
 * for other requests.
 */
async function isSlow(request: WireRequest): Promise<boolean> {
  for (let round = 0; round < 3; round++) {
    if ((await send(sharedStack().apiUrl, request)).milliseconds <= 1_000) return false;
  }
  return true;
}

it('sends requests to the loopback address only', () => {
  expect(new URL(sharedStack().apiUrl).hostname).toBe('localhost');
});

it('the victims’ data contains all canaries except the full account number', () => {
  const visibleData = JSON.stringify(victimsDataBefore);
  for (const canary of world.canaries.filter((text) => text !== world.accountNumber))
    expect(visibleData).toContain(canary);
});

describe('hostile requests', () => {
  it.concurrent.each(routes)(
    'to %s get faultless answers',
    async (route, entry) => {
      const requests = route.includes('/webhooks/')
        ? unsignedWebhooks(route, world)
        : requestsTo(route, await contractOf(entry), world);
      await attack(route, requests);
    },
    timeout,
  );

  it.concurrent.each(webhookRoutes)(
    'to %s with a valid signature get faultless answers',
    async (route) => {
      await attack(`${route} (signed)`, signedWebhooks(route, world));
    },
    timeout,
  );
});

describe('after all requests', () => {
  it('the victims’ data is unchanged', async () => {
    expect(await world.readVictimsData()).toEqual(victimsDataBefore);
  });

  it('the victims’ data contains no full bank account number', () => {
    expect(JSON.stringify(victimsDataBefore)).not.toContain(world.accountNumber);
  });

  it('the service is healthy', async () => {
    expect((await call('GET', '/api/health')).status).toBe(200);
  });

  if (isLong) {
    it('no request takes more than a second on a warm function', () => expect(tally.slow).toBe(0));
  }
});
