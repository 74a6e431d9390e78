import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { functions } from '../../infra/functions.ts';
import { startDynamoDb } from '../../infra/local/services/aws.ts';
import { developmentWallet } from '../../infra/local/services/contract.ts';
import { sendToken } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { freshEmail } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { deliverWebhook, providers } from '../support/sandbox.ts';
import { runOps, type SeparateStack, startStack, tableEnvironment } from '../support/stack.ts';

/**
 * The table executes every write, but the first answer to it is lost. The API's answers and the final states are the
 * same as when no answer is lost.
 */

// biome-ignore lint/suspicious/noExplicitAny: the tests read answers without types
type Json = any;

let directory: string;
let dynamodb: Awaited<ReturnType<typeof startDynamoDb>>;
let tableProxy: FaultProxy;
let stack: SeparateStack;
beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-lost-answers-'));
  const files = ['table.db', 'dynamodb.log'].map((name) => path.join(directory, name)) as [string, string];
  dynamodb = await startDynamoDb(...files);
  tableProxy = await startProxy({ table: dynamodb.url });
  stack = await startStack({
    env: { AWS_ENDPOINT_URL_DYNAMODB: tableProxy.url('stack', 'table'), VERIFY_WITH_GATEWAY: 'true' },
  });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await tableProxy?.stop();
  await dynamodb?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Loses the first answer to each write. @returns a function that counts the lost answers */
function loseFirstAnswers(): () => number {
  const executed = new Set<string>();
  tableProxy.intercept(async ({ method, body }, forward) => {
    if (!/^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(method)) return forward();
    const write = method + JSON.stringify(body);
    if (executed.has(write)) return forward();
    executed.add(write);
    await forward();
    return 'drop';
  });
  return () => executed.size;
}

async function control(path: string, body: object = {}): Promise<Json> {
  const headers = { 'content-type': 'application/json' };
  const url = `${stack.sandboxUrl}/control/${path}`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Calls every endpoint that writes, and runs every worker. @returns the answers and the final states */
async function callEverything(calledRoutes: Set<string>) {
  const answers: [string, number, string | null][] = [];
  const send = async (route: string, ids: string[] = [], options: Parameters<typeof call>[2] = {}) => {
    const [method = '', pattern = ''] = route.split(' ');
    const url = ids.reduce((filled, id) => filled.replace(/\{\w+\}/, id), pattern.split('?')[0] ?? '');
    const query = pattern.includes('?') ? pattern.slice(pattern.indexOf('?')) : '';
    const answer = await call(method, url + query, { apiUrl: stack.apiUrl, ...options });
    calledRoutes.add(`${method} ${pattern.split('?')[0]}`);
    answers.push([route.split('?')[0] ?? '', answer.status, answer.headers.get('x-error-code')]);
    return answer;
  };

  const register = async (fields: object) => {
    const person = { email: freshEmail(), name: 'Ann', password: 'correct horse battery', ...fields };
    const answer = await send('POST /api/auth/register', [], { body: person });
    const cookie = answer.cookies[0]?.split(';')[0] ?? '';
    return { ...person, cookie, token: answer.body.token as string, id: answer.body.user.id as string };
  };
  const organizer = await register({ role: 'ORGANIZER' });
  const buyer = await register({ walletAddress: developmentWallet(7).address });
  const admin = await register({});
  await runOps(['grant-role', '--email', admin.email, '--role', 'ADMIN'], stack);
  const { email, password } = admin;
  // If failures were counted twice, they would reach the limit of ten.
  for (let failure = 0; failure < 6; failure++) {
    await send('POST /api/auth/login', [], { body: { email, password: 'a wrong password' } });
  }
  const { token: adminToken } = (await send('POST /api/auth/login', [], { body: { email, password } })).body;
  const withToken = (token: string, body?: object, key?: string) => ({
    token,
    ...(body && { body }),
    ...(key && { headers: { 'idempotency-key': key } }),
  });
  const asOrganizer = (body?: object, key?: string) => withToken(organizer.token, body, key);
  const asBuyer = (body?: object, key?: string) => withToken(buyer.token, body, key);

  await send('PATCH /api/auth/me', [], asBuyer({ name: 'Ben' }));
  const erasedUser = await register({});
  const awaitMailedToken = async (subject: string) => {
    const { body } = await awaitMail(erasedUser.email, subject, stack);
    return /token=([\w-]{43})/.exec(body.text)?.[1];
  };
  await send('POST /api/auth/verify-email/send', [], withToken(erasedUser.token));
  const confirmation = { token: await awaitMailedToken('Confirm your e-mail address') };
  await send('POST /api/auth/verify-email', [], { body: confirmation });
  await send('POST /api/auth/forgot-password', [], { body: { email: erasedUser.email } });
  const reset = { token: await awaitMailedToken('Reset your password'), password: 'a new password' };
  await send('POST /api/auth/reset-password', [], { body: reset });
  await send('POST /api/auth/reset-password', [], { body: reset });
  const passwordChange = { currentPassword: reset.password, password: 'the next password' };
  await send('PUT /api/auth/password', [], withToken(erasedUser.token, passwordChange));
  const credentials = { email: erasedUser.email, password: passwordChange.password };
  await send('POST /api/auth/login', [], { body: credentials });
  await send('POST /api/users/{id}/erasure', [erasedUser.id], withToken(erasedUser.token));
  await send('POST /api/users/{id}/erasure', [erasedUser.id], withToken(erasedUser.token));
  await send('POST /api/auth/login', [], { body: credentials });
  await send('PUT /api/users/{id}/kyc', [buyer.id], withToken(adminToken, { status: 'VERIFIED' }));
  const { chainId, ticketContract: contractAddress } = stack;
  const wallet = developmentWallet(0);
  const challenge = { address: wallet.address, chainId, purpose: 'contract' };
  const { message } = (await send('POST /api/auth/wallet/challenge', [], asOrganizer(challenge))).body;
  const signature = await wallet.signMessage(message);
  const proof = { chainId, address: contractAddress, message, signature };
  await send('POST /api/contracts/verify', [], asOrganizer(proof));
  const contract = [String(chainId), contractAddress];
  const assignment = { organizerId: organizer.id };
  await send('PUT /api/contracts/{chainId}/{address}', contract, withToken(adminToken, assignment));
  const removalRoute = `DELETE /api/contracts/{chainId}/{address}?organizerId=${organizer.id}`;
  await send(removalRoute, contract, withToken(adminToken));
  await send(removalRoute, contract, withToken(adminToken));

  const startDate = new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString();
  const creation = { title: 'Jazz', venue: 'Club', startDate, currency: 'NGN', chainId, contractAddress };
  const tiers = [
    { name: 'Standing', price: 50, quantity: 20 },
    { name: 'Guests', price: 0, quantity: 5, maxPerPerson: 1 },
  ];
  const publish = async (fields: object = {}) =>
    (await send('POST /api/events', [], asOrganizer({ ...creation, tiers, ...fields }))).body.event;
  const event = await publish();
  const cancelledEvent = await publish();
  const deletedEvent = await publish();
  const accountEvent = await publish({ entry: 'account' });
  await send('PUT /api/events/{id}', [event.id], asOrganizer({ city: 'Lagos' }));
  await send('PUT /api/events/{id}', [event.id], asOrganizer({ totalSupply: 24 }));
  await send('POST /api/events/{id}/tiers', [event.id], asOrganizer({ name: 'Box', price: 9, quantity: 2 }));
  for (const role of ['door', 'door', 'manager']) {
    await send('POST /api/events/{id}/staff', [event.id], asOrganizer({ email: admin.email, role }));
  }
  await send('DELETE /api/events/{id}/staff', [event.id], asOrganizer({ email: admin.email }));
  await send('DELETE /api/events/{id}/staff', [event.id], asOrganizer({ email: admin.email }));
  await send(
    'PUT /api/events/{id}/tiers/{tierId}',
    [event.id, event.tiers[0].id],
    asOrganizer({ quantity: 18 }),
  );
  await send('DELETE /api/events/{id}', [deletedEvent.id], asOrganizer());
  await send('DELETE /api/events/{id}', [deletedEvent.id], asOrganizer());

  const codesRoute = 'POST /api/events/{id}/codes';
  await send(codesRoute, [event.id], asOrganizer({ code: 'TENTH', kind: 'percent', value: 10, maxUses: 2 }));
  await send(codesRoute, [event.id], asOrganizer({ code: 'TENTH', kind: 'percent', value: 20 }));
  await send(codesRoute, [event.id], asOrganizer({ code: 'SPARE', kind: 'access' }));
  await send('PUT /api/events/{id}/codes/{code}', [event.id, 'TENTH'], asOrganizer({ maxUses: 1 }));
  await send('DELETE /api/events/{id}/codes/{code}', [event.id, 'SPARE'], asOrganizer());
  await send('DELETE /api/events/{id}/codes/{code}', [event.id, 'SPARE'], asOrganizer());
  const quote = (code: string) =>
    send(
      'POST /api/events/{id}/quote',
      [event.id],
      asBuyer({ tierId: event.tiers[0].id, quantity: 1, code }),
    );
  // If unknown codes were counted twice, they would reach the limit of ten.
  for (let guess = 0; guess < 6; guess++) await quote('UNKNOWN');
  await quote('TENTH');

  const order = async (event: Json, quantity: number, fields: object = {}, key?: string) => {
    const body = { eventId: event.id, tierId: event.tiers[0].id, quantity, paymentMethod: 'FIAT', ...fields };
    return (await send('POST /api/orders/initialize', [], asBuyer(body, key))).body;
  };
  const firstOrder = await order(event, 2, {}, 'first');
  expect(await order(event, 2, {}, 'first')).toEqual(firstOrder);
  // A refused request releases its idempotency key, so another request may use it.
  await order(event, 1, { tierId: 'none' }, 'released');
  const secondOrder = await order(event, 1, { gateway: 'gateway-b', code: 'TENTH' }, 'released');
  await order(event, 1, { code: 'TENTH' });
  const thirdOrder = await order(cancelledEvent, 1, { gateway: 'gateway-c' });
  const freeOrder = await order(event, 1, { tierId: event.tiers[1].id });
  await order(event, 1, { tierId: event.tiers[1].id });
  const unrefundedOrder = await order(event, 1);
  const transferredOrder = await order(accountEvent, 1);
  const declinedOrder = await order(event, 1);
  const cancelledOrder = await order(event, 1);
  await send('POST /api/orders/{id}/cancel', [cancelledOrder.orderId], asBuyer());
  await send('POST /api/orders/{id}/cancel', [cancelledOrder.orderId], asBuyer());
  await send(
    'POST /api/orders/{id}/confirm',
    [declinedOrder.orderId],
    asBuyer({ txHash: `0x${'ab'.repeat(32)}` }),
  );

  for (const { reference } of [firstOrder, secondOrder, thirdOrder, unrefundedOrder, transferredOrder])
    await control(`payments/${reference}/pay`);
  const webhook = await deliverWebhook(
    'gateway-a',
    providers['gateway-a'].failed(declinedOrder.reference),
    stack.apiUrl,
  );
  answers.push(['POST /api/webhooks/gateway-a', webhook.status, null]);
  const readOrder = async (orderId: string): Promise<Json> =>
    (await call('GET', `/api/orders/${orderId}`, { apiUrl: stack.apiUrl, token: buyer.token })).body.order;
  const awaitOrder = (condition: string, orderId: string, isMet: (order: Json) => boolean) =>
    eventually(condition, async () => {
      const order = await readOrder(orderId);
      return isMet(order) && order;
    });
  const paid = [firstOrder, secondOrder, thirdOrder, freeOrder, unrefundedOrder, transferredOrder];
  for (const { orderId } of paid) {
    await awaitOrder('the tickets are minted', orderId, ({ fulfilment }) => fulfilment.status === 'minted');
  }
  await send('POST /api/orders/{id}/fulfil', [firstOrder.orderId], asOrganizer());
  await send('POST /api/orders/{id}/send', [firstOrder.orderId], asBuyer());
  const { address: walletAddress } = developmentWallet(8);
  await send('POST /api/orders/{id}/reissue', [firstOrder.orderId], asBuyer({ walletAddress }));
  await awaitOrder('the tickets are reissued', firstOrder.orderId, ({ fulfilment, reissue }) => {
    return fulfilment.status === 'minted' && reissue?.walletAddress === walletAddress;
  });
  await send('POST /api/orders/{id}/reissue', [firstOrder.orderId], asBuyer({ walletAddress }));

  const [{ checkInCode: code }] = (await readOrder(firstOrder.orderId)).admissions;
  await send('POST /api/tickets/check-in', [], asOrganizer({ code }));
  await send('POST /api/tickets/check-in', [], asOrganizer({ code }));

  const friend = await register({});
  const asFriend = (body?: object) => withToken(friend.token, body);
  const friendsWallet = developmentWallet(8);
  const signChallenge = async (caller: { token?: string }, purpose: string) => {
    const body = { address: friendsWallet.address, chainId, purpose };
    const { message } = (await send('POST /api/auth/wallet/challenge', [], { ...caller, body })).body;
    return { message, signature: await friendsWallet.signMessage(message) };
  };
  const link = await signChallenge(asFriend(), 'link');
  await send('POST /api/auth/wallet/verify', [], asFriend(link));
  await send('POST /api/auth/wallet/verify', [], asFriend(link));
  const login = await signChallenge({}, 'login');
  await send('POST /api/auth/wallet/verify', [], { body: login });
  await send('POST /api/auth/wallet/verify', [], { body: login });

  const seat = [transferredOrder.orderId, '1'];
  await send('PUT /api/orders/{id}/seats/{number}', seat, asBuyer({ name: 'Ada' }));
  const offerSeat = async () => {
    const body = asBuyer({ email: friend.email });
    const answer = await send('POST /api/orders/{id}/seats/{number}/transfer', seat, body);
    return [answer.body.transfer.token];
  };
  const withdrawnOffer = await offerSeat();
  expect(await offerSeat()).toEqual(withdrawnOffer);
  await send('DELETE /api/transfers/{token}', withdrawnOffer, asBuyer());
  await send('DELETE /api/transfers/{token}', withdrawnOffer, asBuyer());
  const acceptedOffer = await offerSeat();
  await send('POST /api/transfers/{token}/accept', acceptedOffer, asFriend());
  await send('POST /api/transfers/{token}/accept', acceptedOffer, asFriend());
  const [{ tokenId }] = (
    await call('GET', `/api/tickets?orderId=${freeOrder.orderId}`, {
      apiUrl: stack.apiUrl,
      token: buyer.token,
    })
  ).body.tickets;
  const token = { chainId, contractAddress, tokenId };
  await sendToken(developmentWallet(7), friendsWallet.address, token, 4, stack);
  await send('POST /api/tickets/claim', [], asFriend(token));
  await send('POST /api/tickets/claim', [], asFriend(token));
  await send('DELETE /api/auth/wallet', [], asFriend());
  await send('DELETE /api/auth/wallet', [], asFriend());

  const bank = { accountNumber: '0123456789', bankCode: '058', accountName: 'Olu Adeyemi' };
  const payout = { amount: 60, currency: 'NGN', gateway: 'gateway-a', destination: bank };
  const requested = await send('POST /api/payouts', [], asOrganizer(payout, 'payout'));
  expect((await send('POST /api/payouts', [], asOrganizer(payout, 'payout'))).body).toEqual(requested.body);
  await send('POST /api/payouts', [], asOrganizer({ ...payout, amount: 1_000 }));
  // The bank refuses this payout permanently.
  await control('faults', { failTransfers: 5, account: '0690000031' });
  const refusedBank = { ...bank, accountNumber: '0690000031' };
  await send('POST /api/payouts', [], asOrganizer({ ...payout, amount: 5, destination: refusedBank }));
  const getAsOrganizer = (path: string) =>
    call('GET', path, { apiUrl: stack.apiUrl, token: organizer.token });
  await eventually('the payouts have ended', async () => {
    const { payouts } = (await getAsOrganizer('/api/payouts')).body;
    return payouts.every(({ status }: Json) => ['COMPLETED', 'FAILED'].includes(status));
  });

  await control('faults', { refuseRefunds: 5 });
  await send('POST /api/orders/{id}/refund', [unrefundedOrder.orderId], asOrganizer());
  await awaitOrder(
    'the refund has failed',
    unrefundedOrder.orderId,
    ({ refund }) => refund?.status === 'failed',
  );

  await send('POST /api/orders/{id}/refund', [secondOrder.orderId], asOrganizer());
  await send('PUT /api/events/{id}', [cancelledEvent.id], asOrganizer({ status: 'CANCELLED' }));
  for (const { orderId } of [secondOrder, thirdOrder]) {
    await eventually('the gateway has refunded the payment', async () => {
      await stack.sweep();
      return (await readOrder(orderId)).refund?.status === 'done';
    });
  }

  const readList = async (path: string, name: string): Promise<Json[]> =>
    (await call('GET', `${path}?limit=100`, { apiUrl: stack.apiUrl, token: buyer.token })).body[name];
  const [{ id: notificationId }] = (await readList('/api/notifications', 'notifications')) as [Json];
  await send('POST /api/notifications/{id}/read', [notificationId], asBuyer());
  await send('POST /api/notifications/read-all', [], asBuyer());

  const orders = await readList('/api/orders', 'orders');
  const publicEvent = (await call('GET', `/api/events/${event.id}`, { apiUrl: stack.apiUrl })).body.event;
  const finalState = {
    orders: orders
      .reverse()
      .map(({ quantity, paymentStatus, failureReason, fulfilment, refund }: Json) => [
        ...[quantity, paymentStatus, failureReason, fulfilment.status, refund?.status ?? null],
      ]),
    codes: (await getAsOrganizer(`/api/events/${event.id}/codes`)).body.codes.map(
      ({ code, uses, givenAway, overruns }: Json) => [code, uses, givenAway, overruns],
    ),
    available: publicEvent.tiers.map(({ available }: Json) => available),
    admitted: (await readOrder(firstOrder.orderId)).admissions.map(
      ({ checkedInAt }: Json) => checkedInAt !== null,
    ),
    attendance: (await getAsOrganizer(`/api/events/${event.id}/admissions`)).body.admitted,
    trail: (await getAsOrganizer(`/api/events/${event.id}/audit?limit=100`)).body.entries
      .map(({ action }: Json) => action)
      .sort(),
    tickets: (await readList('/api/tickets', 'tickets')).length,
    seats: (await readList('/api/seats', 'seats')).map(({ status, attendee }: Json) => [status, attendee]),
    notifications: (await readList('/api/notifications', 'notifications'))
      .map(({ title, read }: Json) => `${title} ${read}`)
      .sort(),
    balances: (await getAsOrganizer('/api/organizer/balance')).body.balances,
    payouts: (await getAsOrganizer('/api/payouts')).body.payouts.map(({ amount, status }: Json) => [
      ...[amount, status],
    ]),
  };

  const { cookie } = buyer;
  await send('POST /api/auth/refresh-token', [], { cookie });
  await send('POST /api/auth/logout', [], { cookie });
  await send('POST /api/auth/refresh-token', [], { cookie });
  await send('DELETE /api/users/{id}/sessions', [organizer.id], asOrganizer());
  await send('POST /api/auth/refresh-token', [], { cookie: organizer.cookie });
  return { answers, finalState };
}

/** Returns the differences that a reconciliation finds in the table. */
function runAudit(command: string): string {
  const script = path.resolve(import.meta.dirname, '../../infra/ops/main.ts');
  // The reconciliation bypasses the proxy, since this process can't serve the proxy while it waits for the reconciliation.
  const env = { ...process.env, ...tableEnvironment(stack), AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, command], {
    env,
    encoding: 'utf8',
  });
  return status === 0 ? '' : stdout + stderr;
}

/** Counts how often the functions have logged each metric that alarms use. */
function countMetrics(): Record<string, number> {
  const lines = readFileSync(path.join(stack.dataDir, 'functions.log'), 'utf8').split('\n');
  const names = ['OrdersCompleted', 'RefundsDue', 'RefundsFailed', 'PayoutsFailed', 'MintsFailed'];
  const countOf = (name: string) => lines.filter((line) => line.includes(`"Name":"${name}"`)).length;
  return Object.fromEntries(names.map((name) => [name, countOf(name)]));
}

// Without other load, the two series of calls take half of the default limit.
it('lost answers of the table do not change the API’s answers, the final states and the metrics', {
  timeout: 600_000,
}, async () => {
  const calledRoutes = new Set<string>();
  const expected = await callEverything(calledRoutes);
  const metrics = countMetrics();
  const countLostAnswers = loseFirstAnswers();
  expect(await callEverything(calledRoutes)).toEqual(expected);
  expect(countMetrics()).toEqual(
    Object.fromEntries(Object.entries(metrics).map(([name, count]) => [name, 2 * count])),
  );
  expect(metrics).toMatchObject({ OrdersCompleted: 6, RefundsFailed: 1, PayoutsFailed: 1 });
  expect(countLostAnswers()).toBeGreaterThan(100);
  expect(['reconcile-inventory', 'reconcile-ledger', 'reconcile-promo-codes'].map(runAudit)).toEqual([
    '',
    '',
    '',
  ]);

  const routes = functions.flatMap(({ trigger }) => ('route' in trigger ? [trigger.route] : []));
  const isWriting = (route: string) => /^(POST|PUT|PATCH|DELETE) /.test(route);
  const uncalledRoutes = routes.filter((route) => isWriting(route) && !calledRoutes.has(route));
  // The sandbox calls the webhooks.
  expect(uncalledRoutes.filter((route) => !route.includes('/webhooks/'))).toEqual([]);
});
