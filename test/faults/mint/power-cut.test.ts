import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rpc } from '../../../infra/local/services/chain.ts';
import { type Child, startChild } from '../../../infra/local/services/process.ts';
import { findInventoryDifferences } from '../../../infra/ops/reconcile.ts';
import { findLedgerDifferences } from '../../../infra/ops/reconcile-ledger.ts';
import { scanTable } from '../../../infra/ops/table.ts';
import { queueUrlVariable } from '../../../shared/runtime/config.ts';
import { eventually } from '../../support/eventually.ts';
import { type Person, registerUser } from '../../support/fixtures.ts';
import { type CallOptions, call } from '../../support/http.ts';
import { connectToTable, type SeparateStack, startStack, tableEnvironment } from '../../support/stack.ts';

/**
 * Kills every part of a stack at once while people buy, and starts it again from what is on disk.
 * POWER_CUTS sets the number of cuts. If it is set, the sweep runs only once a minute, as in deployed stages.
 */
const requestedCuts = Number(process.env.POWER_CUTS ?? 0);
const cuts = requestedCuts || 2;
const buyerCount = 3;
const quantity = 2;
const wallet = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const startDate = new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString();

/** A power cut loses the local queues: an order whose message is lost stays due when its hold would have ended. */
const env = { HOLD_MINUTES: '2' };
const dataDir = mkdtempSync(path.join(tmpdir(), 'boxoffice-power-cut-'));
let stack: SeparateStack;
let sweeper: Child | undefined;

beforeAll(async () => {
  stack = await startStack({ dataDir, env });
});
afterAll(async () => {
  await sweeper?.kill();
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Repeats a request until it returns the status, as people and payment providers do during an outage. */
async function callUntil(status: number, method: string, url: string, options: () => CallOptions) {
  const attempt = async () => {
    const answer = await call(method, url, { apiUrl: stack.apiUrl, ...options() }).catch(() => undefined);
    return answer?.status === status && answer.body;
  };
  return eventually(`${method} ${url} answers ${status}`, attempt, {
    seconds: 120,
    intervalMilliseconds: 250,
  });
}

/** Buys tickets. @returns the id of the paid order */
async function buyTickets({ token }: Person, eventId: string, tierId: string): Promise<string> {
  const body = { eventId, tierId, quantity, paymentMethod: 'FIAT', gateway: 'gateway-a' };
  const { orderId, reference } = await callUntil(201, 'POST', '/api/orders/initialize', () => ({
    token,
    body,
  }));
  await callUntil(200, 'POST', `/control/payments/${reference}/pay`, () => ({
    apiUrl: stack.sandboxUrl,
    body: {},
  }));
  return orderId;
}

/** Buys tickets continuously. @returns the ids of the paid orders so far, and a function that stops buying */
async function startBuying(): Promise<{ paidOrderIds: string[]; stopBuying: () => Promise<unknown> }> {
  const organizer = await registerUser({ role: 'ORGANIZER' }, stack);
  const people = await Promise.all(
    Array.from({ length: buyerCount }, () => registerUser({ walletAddress: wallet }, stack)),
  );
  const { ticketContract: contractAddress, chainId } = stack;
  const tiers = [{ name: 'Standing', price: 50, quantity: 10_000, maxPerPerson: 10_000 }];
  const body = { title: 'Jazz', venue: 'Club', startDate, tiers, contractAddress, chainId };
  const { event } = await callUntil(201, 'POST', '/api/events', () => ({ token: organizer.token, body }));

  const paidOrderIds: string[] = [];
  let isBuying = true;
  const buyers = people.map(async (person) => {
    for (; isBuying; await sleep(200))
      paidOrderIds.push(await buyTickets(person, event.id, event.tiers[0].id));
  });
  const stopBuying = () => {
    isBuying = false;
    return Promise.all(buyers);
  };
  return { paidOrderIds, stopBuying };
}

async function cutPower(): Promise<void> {
  const { apiUrl, chainRpcUrl, dynamodbUrl } = stack;
  await stack.kill();
  const isGone = (url: string) =>
    fetch(url).then(
      () => false,
      () => true,
    );
  for (const url of [apiUrl, chainRpcUrl, dynamodbUrl]) await eventually(`${url} is gone`, () => isGone(url));
  stack = await startStack({ dataDir, env });
}

/** Runs a sweeper whose clock advances a minute every three seconds. */
function startFastSweeper(): void {
  const queues = (
    [
      ['fulfil-orders', 'fulfil'],
      ['mint-tickets', 'mint'],
      ['send-money', 'payout'],
      ['settle-orders', 'settle'],
      ['run-event-jobs', 'event'],
      ['send-mail', 'mail'],
    ] as const
  ).map(([name, key]) => [queueUrlVariable(name), stack.queueUrls[key] ?? '']);
  sweeper = startChild([process.execPath, path.join(import.meta.dirname, '../sweeper.ts')], {
    log: path.join(dataDir, 'sweeper.log'),
    env: {
      ...process.env,
      ...tableEnvironment(stack),
      ...Object.fromEntries(queues),
      AWS_ENDPOINT_URL_SQS: stack.sqsUrl,
      SWEEP_MILLISECONDS: '3000',
    },
  });
}

it('every paid order gets its tickets despite repeated power cuts', async () => {
  const { paidOrderIds, stopBuying } = await startBuying();
  for (let cut = 1; cut <= cuts; cut++) {
    await eventually('people buy', () => paidOrderIds.length >= buyerCount * cut, { seconds: 120 });
    await sleep(3_000 * Math.random());
    await cutPower();
  }
  await stopBuying();

  connectToTable(stack);
  if (!requestedCuts) startFastSweeper();
  const readOrders = async () => (await scanTable()).filter(({ sk }) => sk === 'ORDER');
  const readUnminted = async () =>
    (await readOrders())
      .filter(({ id, paymentStatus }) => paidOrderIds.includes(id) || paymentStatus === 'COMPLETED')
      .filter(({ fulfilmentStatus }) => fulfilmentStatus !== 'minted')
      .map(({ id, paymentStatus, fulfilmentStatus }) => `${id} ${paymentStatus} ${fulfilmentStatus}`);
  const isDone = async () => (await readUnminted()).length === 0;
  await eventually('every paid order is minted', isDone, { seconds: 300, intervalMilliseconds: 1_000 });
  expect(await readUnminted()).toEqual([]);
  await sweeper?.kill();

  const items = await scanTable();
  for (const id of paidOrderIds) {
    const itemsOf = (kind: string) =>
      items.filter(({ sk, orderId }) => orderId === id && sk.startsWith(kind));
    expect(new Set(itemsOf('TICKET#').map(({ tokenId }) => tokenId)).size).toBe(quantity);
    expect(itemsOf('TICKET#')).toHaveLength(quantity);
    expect(itemsOf('NOTIFICATION#')).toHaveLength(1);
  }
  const balanceOf = `0x70a08231${wallet.slice(2).padStart(64, '0')}`;
  const tokens = await rpc<string>(stack.chainRpcUrl, 'eth_call', [
    { to: stack.ticketContract, data: balanceOf },
    'latest',
  ]);
  expect(Number(tokens)).toBe(quantity * paidOrderIds.length);
  expect(await findInventoryDifferences()).toEqual([]);
  expect(await findLedgerDifferences()).toEqual([]);
}, 900_000);
