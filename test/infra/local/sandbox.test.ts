import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveConfiguration } from '../../../infra/local/defaults.ts';
import { listen } from '../../../infra/local/services/process.ts';
import { startSandbox } from '../../../infra/sandbox/sandbox.ts';
import { eventually } from '../../support/eventually.ts';

interface Webhook {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

let folder: string;
let service: Server;
let sandbox: Server;
let url: string;
let apiUrl: string;
let stop: () => void;
let webhooks: Webhook[];
/** The statuses of the service's next responses; 200 when empty. */
let nextStatuses: number[];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-sandbox-'));
  webhooks = [];
  nextStatuses = [];
  service = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    webhooks.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(nextStatuses.shift() ?? 200).end('{"ok":true}');
  });
  apiUrl = `http://127.0.0.1:${await listen(service, 0)}`;
  await startSandboxServer();
});
afterEach(async () => {
  stopSandboxServer();
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true });
});

const settings = () => resolveConfiguration({ apiUrl, sandboxUrl: url, chainRpcUrl: '' }, {});

async function startSandboxServer(): Promise<void> {
  sandbox = createServer();
  url = `http://127.0.0.1:${await listen(sandbox, 0)}`;
  stop = startSandbox({
    server: sandbox,
    url,
    apiUrl,
    configuration: settings(),
    file: path.join(folder, 'sandbox.jsonl'),
  });
}

function stopSandboxServer(): void {
  stop();
  sandbox.closeAllConnections();
  sandbox.close();
}

async function call(
  method: string,
  route: string,
  body?: object | string,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url + route, {
    method,
    redirect: 'manual',
    body: typeof body === 'object' ? JSON.stringify(body) : body,
    headers: { ...(typeof body === 'object' && { 'content-type': 'application/json' }), ...headers },
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: responses are not validated
  const json = (): any => JSON.parse(text);
  return { status: response.status, text, json, location: response.headers.get('location') };
}

const bearer = (key: string | undefined) => ({ authorization: `Bearer ${key}` });

function initializePayment(reference: string) {
  const body = {
    email: 'a@b.co',
    amount: 10250,
    currency: 'USD',
    reference,
    callback_url: 'http://shop.test/x?a=1',
  };
  return call('POST', '/gateway-a/transaction/initialize', body, bearer(settings().GATEWAY_A_SECRET));
}

test('paying on the page sends a signed webhook and redirects the buyer', async () => {
  const link = (await initializePayment('BOX-1')).json().data.authorization_url;
  const page = await call('GET', new URL(link).pathname);
  expect(page.text).toContain('Pay $102.50');
  expect(page.text).toContain('BOX-1');
  expect(page.text).toMatch(/sandbox/i);
  const paid = await call('POST', `${new URL(link).pathname}/pay`);
  expect(paid).toMatchObject({
    status: 303,
    location: 'http://shop.test/x?a=1&trxref=BOX-1&reference=BOX-1',
  });
  const [webhook] = webhooks;
  expect(webhook?.path).toBe('/api/webhooks/gateway-a');
  const signature = createHmac('sha512', settings().GATEWAY_A_SECRET ?? '').update(webhook?.body ?? '');
  expect(webhook?.headers['x-gateway-a-signature']).toBe(signature.digest('hex'));
  expect(JSON.parse(webhook?.body ?? '')).toMatchObject({
    event: 'charge.success',
    data: { reference: 'BOX-1', amount: 10250, currency: 'USD', id: expect.any(Number) },
  });
  const verify = await call(
    'GET',
    '/gateway-a/transaction/verify/BOX-1',
    undefined,
    bearer(settings().GATEWAY_A_SECRET),
  );
  expect(verify.json().data).toMatchObject({ status: 'success', amount: 10250 });
});

test('the page escapes the merchant’s text', async () => {
  const link = (await initializePayment('<b>"x"&\'')).json().data.authorization_url;
  expect((await call('GET', new URL(link).pathname)).text).toContain('&lt;b&gt;&quot;x&quot;&amp;&#39;');
});

test('a webhook is redelivered until it is answered with 200, even after a restart', async () => {
  await initializePayment('BOX-4');
  nextStatuses = [500, 500];
  expect((await call('POST', '/control/payments/BOX-4/pay')).json().deliveries).toMatchObject([
    { status: 500 },
  ]);
  stopSandboxServer();
  await startSandboxServer();
  expect(await eventually('the webhook is redelivered', () => webhooks.length >= 3 && webhooks.length)).toBe(
    3,
  );
  expect(new Set(webhooks.map(({ body }) => body)).size).toBe(1);
  expect((await call('GET', '/control/payments/BOX-4')).json()).toMatchObject({
    status: 'paid',
    amount: 10250,
  });
});

test('requests without the right key are answered with 401', async () => {
  expect((await call('POST', '/gateway-b/payments', { tx_ref: 'x' })).status).toBe(401);
  expect((await call('GET', '/gateway-c/v1/refunds', undefined, bearer('wrong'))).status).toBe(401);
});

const createSession = (form: URLSearchParams, idempotencyKey: string) =>
  call('POST', '/gateway-c/v1/checkout/sessions', `${form}`, {
    ...bearer(settings().GATEWAY_C_SECRET_KEY),
    'content-type': 'application/x-www-form-urlencoded',
    'idempotency-key': idempotencyKey,
  });
const sessionForm = (reference: string) =>
  new URLSearchParams({
    mode: 'payment',
    client_reference_id: reference,
    success_url: 'http://shop.test/?s={CHECKOUT_SESSION_ID}',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '5125',
    'line_items[0][price_data][product_data][name]': 'Standing',
    'line_items[0][quantity]': '2',
  });

test('an expired session of gateway-c stays expired when the buyer declines', async () => {
  const { id } = (await createSession(sessionForm('BOX-9'), 'expired')).json();
  const key = bearer(settings().GATEWAY_C_SECRET_KEY);
  await call('POST', `/gateway-c/v1/checkout/sessions/${id}/expire`, undefined, key);
  await call('POST', '/control/payments/BOX-9/decline', { webhook: false });
  expect((await call('GET', '/control/payments/BOX-9')).json().status).toBe('expired');
});
