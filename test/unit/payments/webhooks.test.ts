import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as webhookA } from '../../../functions/webhooks/gateway-a.ts';
import { handler as webhookB } from '../../../functions/webhooks/gateway-b.ts';
import { handler as webhookC } from '../../../functions/webhooks/gateway-c.ts';
import { readGatewayAWebhook } from '../../../shared/payments/gateway-a.ts';
import { readGatewayBWebhook } from '../../../shared/payments/gateway-b.ts';
import { readGatewayCWebhook } from '../../../shared/payments/gateway-c.ts';

/** Responses of webhooks that end before they read an order. There is no table in these tests. */

const secrets = {
  GATEWAY_A_SECRET: 'secret a',
  GATEWAY_B_SECRET_HASH: 'hash b',
  GATEWAY_C_WEBHOOK_SECRET: 'secret c',
};
beforeEach(() => {
  delete process.env.GATEWAY_A_SIGNATURE_HEADER;
  Object.assign(process.env, secrets);
});

interface WebhookRequest {
  body: string | Buffer;
  headers?: Record<string, string>;
  isBase64Encoded?: boolean;
}

const handlers = { a: webhookA, b: webhookB, c: webhookC };

async function send(
  gateway: keyof typeof handlers,
  { body, headers = {}, isBase64Encoded = false }: WebhookRequest,
) {
  const event = {
    routeKey: `POST /api/webhooks/gateway-${gateway}`,
    headers,
    body: Buffer.from(body).toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
    requestContext: { requestId: 'test', http: { sourceIp: '127.0.0.1' } },
  } as unknown as Parameters<typeof webhookA>[0];
  const answer = await handlers[gateway](event, {} as Context);
  const { statusCode, body: text } = answer as { statusCode: number; body: string };
  return { status: statusCode, body: JSON.parse(text) };
}

/** Signs with the openssl command. */
function signWithOpenssl(algorithm: 'sha512' | 'sha256', key: string, input: string | Buffer): string {
  const output = execFileSync('openssl', ['dgst', `-${algorithm}`, '-hmac', key, '-hex'], { input });
  return output.toString().trim().split(' ').at(-1) ?? '';
}

const now = () => Math.floor(Date.now() / 1000);
const stripeSignature = (body: string | Buffer, time: number, key = secrets.GATEWAY_C_WEBHOOK_SECRET) =>
  createHmac('sha256', key).update(`${time}.`).update(body).digest('hex');
const signedAt = (time: number, body: string | Buffer) => `t=${time},v1=${stripeSignature(body, time)}`;

const sign: Record<keyof typeof handlers, (body: string | Buffer) => Record<string, string>> = {
  a: (body) => ({
    'x-gateway-a-signature': createHmac('sha512', secrets.GATEWAY_A_SECRET).update(body).digest('hex'),
  }),
  b: () => ({ 'verif-hash': secrets.GATEWAY_B_SECRET_HASH }),
  c: (body) => ({ 'stripe-signature': signedAt(now(), body) }),
};

const accepted = { status: 200, body: { ok: true } };
/** Sends a valid webhook of each gateway. */
const sendValid = () =>
  Promise.all(
    (['a', 'b', 'c'] as const).map((gateway) => send(gateway, { body: '{}', headers: sign[gateway]('{}') })),
  );

it.each(['%s, new', 'new,%s'])(
  'accepts webhooks with each value of a secret that is rotated: %s',
  async (list) => {
    for (const [name, secret] of Object.entries(secrets)) process.env[name] = list.replace('%s', secret);
    expect((await sendValid()).map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const name of Object.keys(secrets)) process.env[name] = 'new';
    expect((await sendValid()).map(({ status }) => status)).toEqual([401, 401, 401]);
  },
);

const noSignature = { status: 401, body: { error: 'No signature' } };
const invalidSignature = { status: 401, body: { error: 'Invalid signature' } };
const notConfigured = { status: 500, body: { error: 'Server configuration error' } };

/** A body with unusual spacing and key order, multi-byte characters and an unknown reference. */
const unusualBody =
  '{ "data" :\n{"id":  7,\t"reference":"nobody’s","amount" : 1e2 , "client_reference_id":"é"}\r\n, "event":"charge.success", "type":"checkout.session.completed" }  ';

describe('gateway-a', () => {
  it.each([
    ['its secret is not configured', { GATEWAY_A_SECRET: '' }, sign.a(unusualBody), notConfigured],
    ['the header is missing', {}, {}, noSignature],
    ['the signature does not match', {}, { 'x-gateway-a-signature': 'ab'.repeat(64) }, invalidSignature],
    ['the signature is in upper case', {}, upperCase(sign.a(unusualBody)), invalidSignature],
    ['the signature is truncated', {}, { 'x-gateway-a-signature': 'ab' }, invalidSignature],
  ])('refuses a webhook when %s', async (_, env, headers, answer) => {
    Object.assign(process.env, env);
    expect(await send('a', { body: unusualBody, headers })).toEqual(answer);
  });

  it('accepts a body signed by openssl, byte for byte', async () => {
    const headers = {
      'x-gateway-a-signature': signWithOpenssl('sha512', secrets.GATEWAY_A_SECRET, unusualBody),
    };
    expect(await send('a', { body: unusualBody, headers })).toEqual(accepted);
    expect(await send('a', { body: unusualBody, headers, isBase64Encoded: true })).toEqual(accepted);
    expect(await send('a', { body: unusualBody.replace('7', '8'), headers })).toEqual(invalidSignature);
    expect(await send('a', { body: unusualBody.trimEnd(), headers })).toEqual(invalidSignature);
  });

  it('reads the signature from the configured header', async () => {
    process.env.GATEWAY_A_SIGNATURE_HEADER = 'X-Paystack-Signature';
    const [signature = ''] = Object.values(sign.a(unusualBody));
    expect(await send('a', { body: unusualBody, headers: { 'x-paystack-signature': signature } })).toEqual(
      accepted,
    );
    expect(await send('a', { body: unusualBody, headers: sign.a(unusualBody) })).toEqual(noSignature);
  });
});

describe('gateway-b', () => {
  it.each([
    ['the header is missing', {}, {}],
    ['the hash does not match', {}, { 'verif-hash': 'hash c' }],
    ['no hash is configured', { GATEWAY_B_SECRET_HASH: '' }, { 'verif-hash': 'hash b' }],
    ['no hash is configured and an empty one is sent', { GATEWAY_B_SECRET_HASH: '' }, { 'verif-hash': '' }],
  ])('refuses a webhook when %s', async (_, env, headers: Record<string, string>) => {
    Object.assign(process.env, env);
    expect(await send('b', { body: unusualBody, headers })).toEqual(invalidSignature);
  });

  it('accepts any body with the secret hash', async () => {
    expect(await send('b', { body: unusualBody, headers: sign.b(unusualBody) })).toEqual(accepted);
    const sent = { body: unusualBody, headers: sign.b(unusualBody), isBase64Encoded: true };
    expect(await send('b', sent)).toEqual(accepted);
  });
});

describe('gateway-c', () => {
  const signatureHeader = (text: string) => ({ 'stripe-signature': text });
  const time = now();
  it.each([
    ['its secret is not configured', { GATEWAY_C_WEBHOOK_SECRET: '' }, sign.c(unusualBody), notConfigured],
    ['the header is missing', {}, {}, noSignature],
    ['the header has no signature', {}, signatureHeader('nonsense'), invalidSignature],
    [
      'it is signed with another key',
      {},
      signatureHeader(`t=${time},v1=${stripeSignature(unusualBody, time, 'x')}`),
      invalidSignature,
    ],
    [
      'the signature is for another time',
      {},
      signatureHeader(`t=${time},v1=${stripeSignature(unusualBody, time - 9)}`),
      invalidSignature,
    ],
    ['it is too old', {}, signatureHeader(signedAt(time - 301, unusualBody)), invalidSignature],
    // Some seconds more, since the clock goes on until the request.
    ['its time is in the future', {}, signatureHeader(signedAt(time + 330, unusualBody)), invalidSignature],
    ['its time is no number', {}, signatureHeader(signedAt(Number.NaN, unusualBody)), invalidSignature],
    [
      'its time is no integer of seconds',
      {},
      signatureHeader(`t=${time}.5,v1=${stripeSignature(unusualBody, time)}`),
      invalidSignature,
    ],
    [
      'one of its times is no integer of seconds',
      {},
      signatureHeader(`t=x,${signedAt(time, unusualBody)}`),
      invalidSignature,
    ],
    [
      'the signature scheme is unknown',
      {},
      signatureHeader(`t=${time},v0=${stripeSignature(unusualBody, time)}`),
      invalidSignature,
    ],
  ])('refuses a webhook when %s', async (_, env, headers, answer) => {
    Object.assign(process.env, env);
    expect(await send('c', { body: unusualBody, headers })).toEqual(answer);
  });

  it('accepts a body signed by openssl, byte for byte', async () => {
    const signedTime = time - 200;
    const input = `${signedTime}.${unusualBody}`;
    const signature = signWithOpenssl('sha256', secrets.GATEWAY_C_WEBHOOK_SECRET, input);
    const headers = signatureHeader(`t=${signedTime},v1=${signature}`);
    expect(await send('c', { body: unusualBody, headers })).toEqual(accepted);
    expect(await send('c', { body: unusualBody, headers, isBase64Encoded: true })).toEqual(accepted);
    expect(await send('c', { body: unusualBody.replace('7', '8'), headers })).toEqual(invalidSignature);
  });

  it('accepts one valid signature among several, as during a rotation of the secret', async () => {
    const headers = signatureHeader(
      `t=${time},v1=${'0'.repeat(64)},v1=${stripeSignature(unusualBody, time)}`,
    );
    expect(await send('c', { body: unusualBody, headers })).toEqual(accepted);
  });
});

describe.each(['a', 'b', 'c'] as const)('gateway-%s accepts an irrelevant webhook', (gateway) => {
  it.each([
    'no JSON at all',
    '',
    'null',
    '[]',
    '"text"',
    '{}',
    '{"event":"charge.success","type":"checkout.session.completed"}',
    '{"event":"charge.success","type":"checkout.session.completed","data":null}',
    '{"event":"charge.success","type":"checkout.session.completed","data":{"object":{"client_reference_id":7}}}',
    '{"event":"charge.success","data":{"reference":{"$ne":""},"tx_ref":["BOX"],"status":"successful"}}',
    '{"event":"charge.success","data":{"id":1,"reference":"BOX-ABC-1-ABC"}}',
    '{"event":"charge.completed","data":{"id":1,"tx_ref":"another shop’s","status":"successful"}}',
    '{"event":"charge.completed","data":{"id":1,"tx_ref":"BOX-ABCDEF-1700000000000-ABCDEFGH","status":"pending"}}',
    '{"event":"subscription.create","data":{"reference":"BOX-ABCDEF-1700000000000-ABCDEFGH"}}',
    '{"event":["charge.success"],"__proto__":{"event":"charge.success"},"data":{"reference":"x"}}',
    '{"type":"checkout.session.completed","data":{"object":{"client_reference_id":"BOX-ABCDEF-1700000000000-ABCDEFGH","payment_status":"unpaid"}}}',
  ])('%s', async (body) => {
    expect(await send(gateway, { body, headers: sign[gateway](body) })).toEqual(accepted);
  });
});

function upperCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.toUpperCase()]));
}

/**
 * Webhooks with a valid signature but unexpected values must be accepted: a gateway redelivers refused ones for days.
 */

const signForAll = (body: string): Record<string, string> => ({
  'x-gateway-a-signature': createHmac('sha512', secrets.GATEWAY_A_SECRET).update(body).digest('hex'),
  'verif-hash': secrets.GATEWAY_B_SECRET_HASH,
  'stripe-signature': `t=${now()},v1=${createHmac('sha256', secrets.GATEWAY_C_WEBHOOK_SECRET).update(`${now()}.${body}`).digest('hex')}`,
});

/** Creates the body of a paid charge in each gateway's format, with the same value in several fields. */
const chargeBodies = {
  'gateway-a': (value: string) =>
    `{"event":"charge.success","data":{"reference":"BOX","id":${value},"amount":${value},"currency":${value}}}`,
  'gateway-b': (value: string) =>
    `{"event":"charge.completed","data":{"status":"successful","tx_ref":"BOX","id":${value},"amount":${value},"currency":${value}}}`,
  'gateway-c': (value: string) =>
    `{"type":"checkout.session.completed","data":{"object":{"client_reference_id":"BOX","payment_status":"paid","id":${value},"payment_intent":${value},"amount_total":${value},"currency":${value}}}}`,
};
const readers = {
  'gateway-a': readGatewayAWebhook,
  'gateway-b': readGatewayBWebhook,
  'gateway-c': readGatewayCWebhook,
};

describe.each(Object.keys(chargeBodies) as (keyof typeof chargeBodies)[])('a webhook of %s', (gateway) => {
  const read = (body: string) => readers[gateway](Buffer.from(body), (name) => signForAll(body)[name]);

  it.each([
    ['objects that can’t become text', '{"toString":1,"valueOf":1}'],
    ['lists in lists', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['half a surrogate pair', '"\\ud800"'],
    ['long text', `"${'9'.repeat(100_000)}"`],
    ['a number that is too large', '1e999'],
    ['true', 'true'],
  ])('whose values are %s is accepted with the amount 0', async (_, value) => {
    expect(await read(chargeBodies[gateway](value))).toEqual({
      kind: 'paid',
      reference: 'BOX',
      transactionId: value === '1e999' ? 'Infinity' : '',
      ...(gateway === 'gateway-c' && { checkoutSession: value === '1e999' ? 'Infinity' : '' }),
      currency: value === '1e999' ? 'INFINITY' : '',
      amount: 0n,
    });
  });

  it('with an amount of more digits than the table can store is accepted with the amount 0', async () => {
    for (const amount of [`"${'9'.repeat(60)}"`, `"1.${'0'.repeat(200)}"`]) {
      const body = chargeBodies[gateway]('"NGN"').replace(/("amount(?:_total)?":)"NGN"/, `$1${amount}`);
      expect(await read(body)).toMatchObject({ currency: 'NGN', amount: 0n });
    }
  });
});

it.each(['v1=', 't=1,v1=', 't=1,v1==', 't=,v1=a', ',', '=', 't=NaN,v1=NaN'])(
  'gateway-c refuses the signature header %j',
  async (signature) => {
    const read = readGatewayCWebhook(Buffer.from('{}'), () => signature);
    await expect(read).rejects.toMatchObject({ kind: 'unauthenticated', code: 'invalid-signature' });
  },
);
