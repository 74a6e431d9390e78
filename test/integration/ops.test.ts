import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findLedgerDifferences } from '../../infra/ops/reconcile-ledger.ts';
import { type SmokeOptions, smokeTest } from '../../infra/ops/smoke-test.ts';
import { type RawItem, scanTable } from '../../infra/ops/table.ts';
import { absentPrefix } from '../../shared/dynamo/prime.ts';
import {
  buyTickets,
  confirmAddress,
  createCaller,
  freshEmail,
  openSale,
  readBalance,
  registerUser,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { connectToTable, runOps, sharedStack } from '../support/stack.ts';

async function runSmokeTest(options: SmokeOptions): Promise<string[]> {
  const steps: string[] = [];
  for await (const step of smokeTest(options)) steps.push(step);
  return steps;
}

it('the smoke test sells a ticket at a running stage and removes its data, and can be repeated', async () => {
  const { apiUrl, sandboxUrl } = sharedStack();
  const options = { url: apiUrl, origin: apiUrl, currency: 'NGN' };
  const first = await runSmokeTest(options);
  expect(first).toEqual([
    'The API responds.',
    'The API reference is available.',
    'Events are listed.',
    'The service responds to an unknown path.',
    `Pages of ${apiUrl} may call the API.`,
    'An organizer and a buyer are registered, and an event is on sale.',
    'A free ticket is sold, its buyer notified, and its check-in code shown.',
    'The ticket is checked in, and a second check-in is refused.',
    `The checkout page is at ${new URL(sandboxUrl).host}; the ticket is held.`,
    'The unpaid order is cancelled, and its ticket is on sale again.',
    'The event is cancelled, and both accounts are closed.',
  ]);
  expect(await runSmokeTest(options)).toEqual(first);
});

it('the smoke test removes its data when a step fails', async () => {
  const fetchSpy = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => fetchSpy.mockRestore());
  // The stack’s default payment provider does not accept yen.
  await expect(runSmokeTest({ url: sharedStack().apiUrl, currency: 'JPY' })).rejects.toThrow(
    'POST /api/orders/initialize returned 400 instead of 201',
  );
  const answers = await Promise.all(fetchSpy.mock.settledResults.map(({ value }) => value));
  const requests = fetchSpy.mock.calls.map(([url, init], index) =>
    [init?.method, new URL(String(url)).pathname.replace(/\/c\w{20,}/, '/{id}'), answers[index]?.status].join(
      ' ',
    ),
  );
  // An account is closed when the tickets of its cancelled event are refunded; until then the request returns 409.
  expect(requests.filter((request) => !request.endsWith('erasure 409')).slice(-3)).toEqual([
    'POST /api/users/{id}/erasure 200',
    'PUT /api/events/{id} 200',
    'POST /api/users/{id}/erasure 200',
  ]);
});

it('the smoke test fails when the API does not allow the origin', async () => {
  const { apiUrl } = sharedStack();
  await expect(runSmokeTest({ url: apiUrl, origin: 'https://elsewhere.test' })).rejects.toThrow(
    'A page of https://elsewhere.test may not call the API',
  );
});

it('the smoke test names the failed request', async () => {
  await expect(runSmokeTest({ url: sharedStack().sandboxUrl })).rejects.toThrow('GET /api/health returned');
  await expect(runSmokeTest({ url: 'http://127.0.0.1:9' })).rejects.toThrow(
    /^GET \/api\/health got no response: .+$/,
  );
});

it('the load test orders at its rate, cancels every order, and prints its report beside the simulation’s', async () => {
  const { apiUrl } = sharedStack();
  const options = ['--url', apiUrl, '--rate', '4', '--seconds', '2', '--buyers', '2', '--currency', 'NGN'];
  const { stdout } = await runOps(['load-test', ...options]);
  const figuresOf = (row: string) =>
    stdout
      .split('\n')
      .find((line) => line.includes(row))
      ?.match(/\d+(?:\.\d+)?/g)
      ?.map(Number);
  expect(figuresOf('measured')?.slice(0, 2)).toEqual([8, 8]);
  expect(figuresOf('simulated')?.slice(0, 2)).toEqual([8, 8]);
  await expect(runOps(['load-test', '--url', apiUrl, '--rate', '0'])).rejects.toThrow();
});

beforeAll(() => connectToTable());

it('the priming of the functions has written nothing to the table', async () => {
  const { apiUrl } = sharedStack();
  await fetch(`${apiUrl}/api/events`);
  expect((await scanTable()).filter(({ pk }) => String(pk).startsWith(absentPrefix))).toEqual([]);
});

/** Writes items as DynamoDB exports a table: one item per line in several gzipped files. Returns the folder. */
function writeExport(items: readonly RawItem[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dataFolder = path.join(folder, 'AWSDynamoDB', '01234567890123-abcdefgh', 'data');
  mkdirSync(dataFolder, { recursive: true });
  const lines = items.map((item) =>
    JSON.stringify({ Item: marshall(item, { removeUndefinedValues: true }) }),
  );
  for (const file of [0, 1]) {
    const half = lines.filter((_, index) => index % 2 === file).join('\n');
    writeFileSync(path.join(dataFolder, `part${file}.json.gz`), gzipSync(`${half}\n`));
  }
  return folder;
}

const runReconciliation = (command: string, folder: string) => runOps([command, '--export', folder]);

/** Sells tickets. Returns the items with the ids of the event, the order or the organizer in their key. */
async function createSaleItems(): Promise<RawItem[]> {
  const [sale, buyer] = [await openSale(), await registerUser()];
  const { orderId } = await buyTickets(sale, buyer, 2);
  const ids = [sale.event.id, orderId, sale.organizer.user.id];
  return (await scanTable()).filter(({ pk }) => ids.some((id) => pk.includes(id)));
}

it('the reconciliation commands read an export of the table', async () => {
  const items = await createSaleItems();
  const folder = writeExport(items);
  expect((await runReconciliation('reconcile-inventory', folder)).stdout).toBe(
    'The inventory is consistent.\n',
  );
  expect((await runReconciliation('reconcile-ledger', folder)).stdout).toBe('The ledger is consistent.\n');
  expect((await runReconciliation('reconcile-promo-codes', folder)).stdout).toBe(
    'The uses of codes are consistent.\n',
  );

  const damagedItems = items.map((item) =>
    item.sk === 'INVENTORY' && item.available > 0 ? { ...item, available: item.available - 1 } : item,
  );
  await expect(runReconciliation('reconcile-inventory', writeExport(damagedItems))).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('free + held, offered or sold: expected 100, found 99'),
  });
});

it('a balance that no gateway pays out is settled once by an operator', async () => {
  const [sale, buyer] = [await openSale({ currency: 'JPY', price: 500 }), await registerUser()];
  const { id } = sale.organizer.user;
  await buyTickets(sale, buyer, 2, 'gateway-c');
  const settle = (amount: string) => {
    const values = { organizer: id, currency: 'JPY', amount, transaction: `wire-${id}` };
    return runOps([
      'settle-balance',
      ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]),
    ]);
  };
  expect((await runOps(['settle-balance'])).stdout).toContain(`Organizer ${id}: 1000 JPY`);
  await expect(settle('1001')).rejects.toMatchObject({ stderr: expect.stringContaining('exceeds') });
  expect((await settle('400')).stdout).toContain(`400 JPY are recorded as paid to ${id}.`);
  await expect(settle('400')).rejects.toMatchObject({ stderr: expect.stringContaining('recorded already') });
  expect(await readBalance(sale.organizer, 'JPY')).toMatchObject({ available: 600, paidOut: 400 });
  const ownItems = (await scanTable()).filter(({ pk }) => pk === `LEDGER#${id}`);
  const differences = await findLedgerDifferences(async () => ownItems);
  expect(differences.filter(({ subject }) => subject.includes('BALANCE'))).toEqual([]);
});

it('the reconciliation commands fail for a folder without an export', async () => {
  const missingFolder = writeExport([]).replace(/-[^-]+$/, '-none');
  await expect(runReconciliation('reconcile-inventory', missingFolder)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no export of a table in .*\.\n$/),
  });
});

const runGrantRole = (email: string, role: string) =>
  runOps(['grant-role', '--email', email, '--role', role]);

describe('npm run grant-role', () => {
  it('grants a role, which the next access token contains', async () => {
    const person = await registerUser();
    const { user, token, cookie } = person;
    await confirmAddress(person);
    const { stdout } = await runGrantRole(user.email.toUpperCase(), 'ORGANIZER');
    expect(stdout).toBe(`${user.email} is ORGANIZER from the next login or token refresh on.\n`);
    const refreshAnswer = await call('POST', '/api/auth/refresh-token', { cookie });
    const body = { title: 'Concert', venue: 'Hall', startDate: '2030-01-01T20:00:00Z' };
    expect((await call('POST', '/api/events', { token, body })).status).toBe(403);
    expect((await createCaller(refreshAnswer.body.token).post('/api/events', body)).status).toBe(201);
  });

  it('refuses an account whose address is not confirmed, unless asked otherwise', async () => {
    const { user } = await registerUser();
    await expect(runGrantRole(user.email, 'ADMIN')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The account has not confirmed its address/),
    });
    const { stdout } = await runOps([
      'grant-role',
      '--email',
      user.email,
      '--role',
      'ADMIN',
      '--unconfirmed',
    ]);
    expect(stdout).toContain('is ADMIN');
  });

  it.each([
    ['an unregistered user', () => freshEmail(), 'ADMIN', 'User not found\n'],
    ['an invalid e-mail', () => 'ann', 'ADMIN', 'Invalid email format\n'],
    ['an unknown role', () => freshEmail(), 'ROOT', 'role must be one of USER, ORGANIZER, ADMIN\n'],
  ])('refuses %s with one sentence on stderr', async (_, email, role, stderr) => {
    await expect(runGrantRole(email(), role)).rejects.toMatchObject({ code: 1, stderr });
  });
});
