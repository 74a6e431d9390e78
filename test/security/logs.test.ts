import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  controlSandbox,
  freshEmail,
  initializeOrder,
  openSale,
  registerUser,
} from '../support/fixtures.ts';
import { call, viewerHeaders } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { findLeaks, sharedStack } from '../support/stack.ts';

/**
 * These tests send valid and invalid requests with unique texts, and then search the log for these texts. After all
 * tests, shared-stack.ts searches the whole log.
 */

/** Texts of the requests that must not be logged. */
const secretTexts = {
  name: `Name ${randomUUID()}`,
  customerName: `Customer ${randomUUID()}`,
  password: `password ${randomUUID()}`,
  wrongPassword: `wrong ${randomUUID()}`,
  newPassword: `new ${randomUUID()}`,
  idempotencyKey: `key-${randomUUID()}`,
  account: `${randomInt(1e9, 1e10)}`,
  accountName: `Account ${randomUUID()}`,
  signature: randomUUID(),
};
/** The tokens of the links in mails. */
const linkTokens: string[] = [];
const orderIds: string[] = [];
let log: string;

async function sendRequests(): Promise<void> {
  const { name, password, idempotencyKey } = secretTexts;
  const buyer = await registerUser({ name, password });
  const { token, cookie, user } = buyer;
  const sale = await openSale();
  await call('POST', '/api/auth/login', { body: { email: user.email, password: secretTexts.wrongPassword } });
  await call('POST', '/api/auth/login', { body: { email: `${user.email}@`, password } });
  await call('POST', '/api/auth/refresh-token', { cookie });
  await call('POST', '/api/auth/refresh-token', { cookie: `${cookie}x` });
  await call('GET', '/api/auth/me', { token: `${token}x` });
  await useLinks(user.email);

  orderIds.push((await buyTickets(sale, buyer, 1)).orderId);
  await initializeOrder(sale, buyer, 1, 'gateway-b');
  const { event } = sale;
  const customerEmail = freshEmail();
  const body = {
    ...{
      eventId: event.id,
      tierId: event.tiers[0].id,
      quantity: 1,
      paymentMethod: 'FIAT',
      gateway: 'gateway-c',
    },
    ...{ customerEmail, customerName: secretTexts.customerName },
  };
  const headers = { 'idempotency-key': idempotencyKey };
  for (let attempt = 0; attempt < 2; attempt++)
    await call('POST', '/api/orders/initialize', { token, body, headers });
  // Other tests use the provider, so only calls for this customer fail.
  const [text] = customerEmail.split('@');
  await controlSandbox('faults', { gateway: 'gateway-c', mode: 'error', times: 3, text });
  await call('POST', '/api/orders/initialize', { token, body });

  const destination = {
    accountNumber: secretTexts.account,
    bankCode: '044',
    accountName: secretTexts.accountName,
  };
  const payout = { amount: 10, currency: 'NGN', gateway: 'gateway-a', destination };
  await sale.organizer.post('/api/payouts', payout, { headers });
  await call('POST', '/api/webhooks/gateway-a', {
    body: { event: 'charge.success', data: { reference: 'BOX', customer: { email: user.email } } },
    headers: { 'x-gateway-a-signature': secretTexts.signature },
  });
  await call('POST', '/api/auth/logout', { cookie });

  // An event that API Gateway would not send makes a function throw with a password in its input.
  await sharedStack().invoke('auth-login', {
    headers: { 'content-type': 'application/json', cookie, authorization: `Bearer ${token}` },
    body: JSON.stringify({ email: user.email, password }),
    requestContext: { requestId: 'odd' },
  });
}

/** Sends the tokens of mailed links in the body of requests, and wrongly in query strings and in a Referer header. */
async function useLinks(email: string): Promise<void> {
  const confirmation = await awaitMailedToken(email, 'Confirm your e-mail address');
  await call('POST', '/api/auth/verify-email', { body: { token: confirmation } });
  const headers = { referer: `${sharedStack().apiUrl}/verify-email?token=${confirmation}` };
  await call('GET', `/api/auth/verify-email?token=${confirmation}`, { headers });
  await call('POST', '/api/auth/forgot-password', { body: { email }, headers: viewerHeaders() });
  const token = await awaitMailedToken(email, 'Reset your password');
  await fetch(`${sharedStack().apiUrl}/reset-password?token=${token}`);
  const reset = { token, password: secretTexts.newPassword };
  for (let attempt = 0; attempt < 2; attempt++)
    await call('POST', '/api/auth/reset-password', { body: reset });
}

async function awaitMailedToken(email: string, subject: string): Promise<string> {
  const { body } = await awaitMail(email, subject);
  const token = /token=([\w-]{43})/.exec(body.text)?.[1] ?? '';
  linkTokens.push(token);
  return token;
}

beforeAll(async () => {
  await sendRequests();
  const readLog = () => readFileSync(inject('functionLog') ?? '', 'utf8');
  // The last request is logged shortly after its answer.
  log = await eventually('the log is written', async () => readLog().includes('Request failed') && readLog());
});

describe('the log', () => {
  it('names the requests, the orders and the failures', () => {
    const expected = [
      'POST /api/auth/login',
      'Order completed',
      'Payment could not be started',
      'Request failed',
    ];
    for (const text of [...expected, ...orderIds]) expect(log).toContain(text);
  });

  it('contains no secrets and no personal data', () => {
    expect(linkTokens.filter(({ length }) => length === 43)).toHaveLength(2);
    expect(findLeaks(log, [...Object.values(secretTexts), ...linkTokens])).toEqual([]);
  });
});
