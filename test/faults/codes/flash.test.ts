import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDynamoDb } from '../../../infra/local/parts/dynamodb.ts';
import { Ports } from '../../../infra/local/ports.ts';
import { auditCodes } from '../../../infra/operator/codes-audit.ts';
import { auditInventory } from '../../../infra/operator/stock-audit.ts';
import { findCode } from '../../../shared/codes/store.ts';
import { createBuyers } from '../../bench/load/buyers.ts';
import { eventually } from '../../support/eventually.ts';
import { type FaultProxy, startProxy } from '../../support/fault-proxy.ts';
import { type Answer, call } from '../../support/http.ts';
import { registerUser } from '../../support/people.ts';
import { type SeparateStack, startStack } from '../../support/stack.ts';
import { useTableOf } from '../../support/table.ts';

/**
 * Everybody orders at once, half of them with a code of limited uses, half with one of a limited budget: exactly as many
 * get their discount as the codes allow. FLASH_BUYERS sets the number of buyers.
 */

const buyers = Number(process.env.FLASH_BUYERS ?? 300);
const maxUses = buyers >= 1_000 ? 100 : 20;
/** A discount is 5, so that half a discount remains after the last one. */
const budget = maxUses * 5 + 2.5;

let directory: string;
let dynamodb: Awaited<ReturnType<typeof startDynamoDb>>;
let table: FaultProxy;
let stack: SeparateStack;

beforeAll(async () => {
  process.env.JWT_ACCESS_SECRET = 'only-for-tests-access-0123456789abcdef';
  directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-code-flash-'));
  mkdirSync(path.join(directory, 'stack'));
  const ports = new Ports(path.join(directory, 'ports.json'));
  const files = ['table.db', 'dynamodb.log'].map((name) => path.join(directory, name)) as [string, string];
  dynamodb = await startDynamoDb(await ports.reserve('dynamodb'), ...files);
  table = await startProxy({ table: dynamodb.url });
  await start();
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await table?.stop();
  await dynamodb?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The functions reach the table through the proxy, this process without it. */
async function start(): Promise<void> {
  const env = { AWS_ENDPOINT_URL_DYNAMODB: table.url('stack', 'table') };
  stack = await startStack({ dataDir: path.join(directory, 'stack'), env });
  useTableOf({ ...stack, dynamodbUrl: dynamodb.url });
}

// biome-ignore lint/suspicious/noExplicitAny: answers as they come
type Json = any;

async function openEvent(): Promise<Json> {
  const { token } = await registerUser({ role: 'ORGANIZER' }, stack);
  const { apiUrl } = stack;
  const tiers = [{ name: 'Floor', price: 50, quantity: buyers, maxPerPerson: 1 }];
  const body = { title: 'Flash sale', venue: 'Arena', startDate: '2040-01-01T20:00:00Z', tiers };
  const { event } = (await call('POST', '/api/events', { apiUrl, token, body })).body;
  const codes = [
    { code: 'USES', kind: 'percent', value: 10, maxUses },
    { code: 'BUDGET', kind: 'amount', value: 5, budget },
  ];
  for (const code of codes) {
    const made = await call('POST', `/api/events/${event.id}/codes`, { apiUrl, token, body: code });
    expect(made.status).toBe(201);
  }
  return event;
}

interface Buyer {
  token: string;
  code: string;
}

const buyersOf = (tokens: string[]): Buyer[] =>
  tokens.map((token, index) => ({ token, code: index % 2 ? 'uses' : 'budget' }));

function order(event: Json, { token, code }: Buyer): Promise<Answer> {
  const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 1, paymentMethod: 'FIAT', code };
  const headers = { 'idempotency-key': `flash-${event.id}` };
  return call('POST', '/api/orders/initialize', { apiUrl: stack.apiUrl, token, body, headers });
}

const isUsedUp = ({ status, headers }: Answer) =>
  status === 409 && headers.get('x-error-code') === 'code-used-up';

async function expectExactUses(event: Json): Promise<void> {
  for (const text of ['USES', 'BUDGET']) {
    expect(await findCode(event.id, text)).toMatchObject({
      ...{ uses: maxUses, given: BigInt(maxUses) * 500n, overruns: 0 },
    });
  }
  expect(await auditCodes()).toEqual([]);
  expect(await auditInventory()).toEqual([]);
}

let endFault: (() => void) | undefined;
afterEach(() => {
  endFault?.();
  endFault = undefined;
});

/** Loses the first answer to each transaction after the table has executed it. @returns how many were lost so far */
function loseAnswers(): () => number {
  const executed = new Set<string>();
  endFault = table.add(async ({ method, body }, forward) => {
    const token = body.ClientRequestToken;
    if (method !== 'TransactWriteItems' || executed.has(token)) return forward();
    executed.add(token);
    await forward();
    return 'drop';
  });
  return () => executed.size;
}

test.each([
  ['every answer arriving', () => () => 1],
  ['the first answer to every transaction lost', loseAnswers],
] as const)(
  'gives buyers exactly as many discounts as the codes allow, with %s',
  {
    timeout: 600_000,
  },
  async (_, disturb) => {
    const event = await openEvent();
    const everybody = buyersOf(await createBuyers(buyers));
    const disturbed = disturb();
    const answers = await Promise.all(everybody.map((buyer) => order(event, buyer)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2 * maxUses);
    expect(answers.filter(isUsedUp)).toHaveLength(buyers - 2 * maxUses);
    expect(disturbed()).toBeGreaterThan(0);
    await expectExactUses(event);
  },
);

test('gives buyers exactly as many discounts as the codes allow when the service is killed meanwhile', {
  timeout: 600_000,
}, async () => {
  const event = await openEvent();
  const everybody = buyersOf(await createBuyers(buyers));
  /** Repeats an order until it has an answer, as people do. Each try sends the same request. */
  const insist = (buyer: Buyer) =>
    eventually(
      'the order is answered',
      async () => {
        const answer = await order(event, buyer).catch(() => undefined);
        return answer && (answer.status === 201 || isUsedUp(answer)) && answer;
      },
      { seconds: 240, milliseconds: 1_000 },
    );
  let transactions = 0;
  const isHalfway = new Promise<void>((resolve) => {
    endFault = table.add(async ({ method }, forward) => {
      if (method === 'TransactWriteItems' && ++transactions === maxUses) resolve();
      return forward();
    });
  });
  const answers = everybody.map(insist);
  await isHalfway;
  await stack.kill();
  await start();
  const all = await Promise.all(answers);
  expect(all.filter(({ status }) => status === 201)).toHaveLength(2 * maxUses);
  await expectExactUses(event);
});

test('prices an order again when its code changes between the price and the reservation', async () => {
  const { token } = await registerUser({ role: 'ORGANIZER' }, stack);
  const { apiUrl } = stack;
  const tiers = [{ name: 'Floor', price: 50, quantity: 10 }];
  const creation = { title: 'Edited', venue: 'Arena', startDate: '2040-01-01T20:00:00Z', tiers };
  const { event } = (await call('POST', '/api/events', { apiUrl, token, body: creation })).body;
  const codes = `/api/events/${event.id}/codes`;
  await call('POST', codes, { apiUrl, token, body: { code: 'EDITED', kind: 'percent', value: 10 } });
  let edits = 0;
  endFault = table.add(async ({ method, body }, forward) => {
    const isOrder = method === 'TransactWriteItems' && JSON.stringify(body).includes('"redemption"');
    if (isOrder && edits++ === 0) {
      await call('PUT', `${codes}/EDITED`, { apiUrl, token, body: { value: 50 } });
    }
    return forward();
  });
  const [buyer = ''] = await createBuyers(1);
  const answer = await order(event, { token: buyer, code: 'edited' });
  expect(answer.body).toMatchObject({ ok: true, discount: 25 });
  expect(edits).toBe(2);
});
