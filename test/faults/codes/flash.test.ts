import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDynamoDb } from '../../../infra/local/services/aws.ts';
import { findCodeDifferences, findInventoryDifferences } from '../../../infra/ops/reconcile.ts';
import { findCode } from '../../../shared/catalog/promo-codes/store.ts';
import { createBuyers } from '../../bench/load/buyers.ts';
import { eventually } from '../../support/eventually.ts';
import { type FaultProxy, startProxy } from '../../support/fault-proxy.ts';
import { registerUser } from '../../support/fixtures.ts';
import { type Answer, call } from '../../support/http.ts';
import { connectToTable, type SeparateStack, startStack } from '../../support/stack.ts';

/**
 * All buyers order concurrently, half of them with a code of limited uses and half with a code of limited budget. The
 * codes give exactly as many discounts as they allow. FLASH_BUYERS sets the number of buyers.
 */

const buyers = Number(process.env.FLASH_BUYERS ?? 300);
const maxUses = buyers >= 1_000 ? 100 : 20;
/** Each discount is 5, so half a discount remains after the last one. */
const budget = maxUses * 5 + 2.5;

let directory: string;
let dynamodb: Awaited<ReturnType<typeof startDynamoDb>>;
let table: FaultProxy;
let stack: SeparateStack;

beforeAll(async () => {
  process.env.JWT_ACCESS_SECRET = 'only-for-tests-access-0123456789abcdef';
  directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-code-flash-'));
  mkdirSync(path.join(directory, 'stack'));
  const files = ['table.db', 'dynamodb.log'].map((name) => path.join(directory, name)) as [string, string];
  dynamodb = await startDynamoDb(...files);
  table = await startProxy({ table: dynamodb.url });
  await startProxiedStack();
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await table?.stop();
  await dynamodb?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Starts the stack, whose functions reach the table through the proxy. This process reaches it directly. */
async function startProxiedStack(): Promise<void> {
  const env = { AWS_ENDPOINT_URL_DYNAMODB: table.url('stack', 'table') };
  stack = await startStack({ dataDir: path.join(directory, 'stack'), env });
  connectToTable({ ...stack, dynamodbUrl: dynamodb.url });
}

// biome-ignore lint/suspicious/noExplicitAny: the tests read answers without types
type Json = any;

async function createEventWithCodes(): Promise<Json> {
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
    const created = await call('POST', `/api/events/${event.id}/codes`, { apiUrl, token, body: code });
    expect(created.status).toBe(201);
  }
  return event;
}

interface Buyer {
  token: string;
  code: string;
}

const toBuyers = (tokens: string[]): Buyer[] =>
  tokens.map((token, index) => ({ token, code: index % 2 ? 'uses' : 'budget' }));

function order(event: Json, { token, code }: Buyer): Promise<Answer> {
  const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 1, paymentMethod: 'FIAT', code };
  const headers = { 'idempotency-key': `flash-${event.id}` };
  return call('POST', '/api/orders/initialize', { apiUrl: stack.apiUrl, token, body, headers });
}

const isUsedUp = ({ status, headers }: Answer) =>
  status === 409 && headers.get('x-error-code') === 'code-used-up';

async function expectExactUses(event: Json): Promise<void> {
  for (const code of ['USES', 'BUDGET']) {
    expect(await findCode(event.id, code)).toMatchObject({
      uses: maxUses,
      totalDiscount: BigInt(maxUses) * 500n,
      overLimit: 0,
    });
  }
  expect(await findCodeDifferences()).toEqual([]);
  expect(await findInventoryDifferences()).toEqual([]);
}

let removeFault: (() => void) | undefined;
afterEach(() => {
  removeFault?.();
  removeFault = undefined;
});

/** Loses the first answer to each transaction. @returns a function that counts the lost answers */
function loseAnswers(): () => number {
  const executed = new Set<string>();
  removeFault = table.intercept(async ({ method, body }, forward) => {
    const token = body.ClientRequestToken;
    if (method !== 'TransactWriteItems' || executed.has(token)) return forward();
    executed.add(token);
    await forward();
    return 'drop';
  });
  return () => executed.size;
}

test.each([
  ['no answer lost', undefined],
  ['the first answer to every transaction lost', loseAnswers],
] as const)(
  'the codes give exactly as many discounts as they allow, with %s',
  {
    timeout: 600_000,
  },
  async (_, injectFault) => {
    const event = await createEventWithCodes();
    const allBuyers = toBuyers(await createBuyers(buyers));
    const countLostAnswers = injectFault?.();
    const answers = await Promise.all(allBuyers.map((buyer) => order(event, buyer)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2 * maxUses);
    expect(answers.filter(isUsedUp)).toHaveLength(buyers - 2 * maxUses);
    if (countLostAnswers) expect(countLostAnswers()).toBeGreaterThan(0);
    await expectExactUses(event);
  },
);

test('the codes give exactly as many discounts as they allow when the stack is killed and restarted meanwhile', {
  timeout: 600_000,
}, async () => {
  const event = await createEventWithCodes();
  const allBuyers = toBuyers(await createBuyers(buyers));
  /** Repeats the same order request until it is answered. */
  const orderUntilAnswered = (buyer: Buyer) =>
    eventually(
      'the order is answered',
      async () => {
        const answer = await order(event, buyer).catch(() => undefined);
        return answer && (answer.status === 201 || isUsedUp(answer)) && answer;
      },
      { seconds: 240, intervalMilliseconds: 1_000 },
    );
  let transactions = 0;
  const halfway = new Promise<void>((resolve) => {
    removeFault = table.intercept(async ({ method }, forward) => {
      if (method === 'TransactWriteItems' && ++transactions === maxUses) resolve();
      return forward();
    });
  });
  const pendingAnswers = allBuyers.map(orderUntilAnswered);
  await halfway;
  await stack.kill();
  await startProxiedStack();
  const answers = await Promise.all(pendingAnswers);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2 * maxUses);
  await expectExactUses(event);
});

test('an order is priced again when its code changes between pricing and reservation', async () => {
  const { token } = await registerUser({ role: 'ORGANIZER' }, stack);
  const { apiUrl } = stack;
  const tiers = [{ name: 'Floor', price: 50, quantity: 10 }];
  const creation = { title: 'Edited', venue: 'Arena', startDate: '2040-01-01T20:00:00Z', tiers };
  const { event } = (await call('POST', '/api/events', { apiUrl, token, body: creation })).body;
  const codesPath = `/api/events/${event.id}/codes`;
  await call('POST', codesPath, { apiUrl, token, body: { code: 'EDITED', kind: 'percent', value: 10 } });
  /** By idempotency token: the SDK sends a transaction again when the change takes longer than its timeout. */
  const transactions = new Set<string>();
  let change: Promise<Answer> | undefined;
  removeFault = table.intercept(async ({ method, body }, forward) => {
    if (method === 'TransactWriteItems' && JSON.stringify(body).includes('"redemption"')) {
      transactions.add(body.ClientRequestToken);
      change ??= call('PUT', `${codesPath}/EDITED`, { apiUrl, token, body: { value: 50 } });
      await change;
    }
    return forward();
  });
  const [buyer = ''] = await createBuyers(1);
  const answer = await order(event, { token: buyer, code: 'edited' });
  expect(answer.body).toMatchObject({ ok: true, discount: 25 });
  expect(transactions.size).toBe(2);
});
