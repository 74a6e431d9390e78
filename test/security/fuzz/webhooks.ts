import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { resolveConfiguration } from '../../../infra/local/defaults.ts';
import { bodiesOf } from './bodies.ts';
import type { WireRequest } from './send.ts';
import type { World } from './world.ts';

const { GATEWAY_A_SECRET, GATEWAY_B_SECRET_HASH, GATEWAY_C_WEBHOOK_SECRET } = resolveConfiguration(
  { apiUrl: '', sandboxUrl: '', chainRpcUrl: '' },
  process.env,
);
const hmacHex = (algorithm: string, key = '', ...parts: (string | Buffer)[]) =>
  parts
    .reduce<ReturnType<typeof createHmac>>((hmac, part) => hmac.update(part), createHmac(algorithm, key))
    .digest('hex');

/** Returns the signature header of a body, by gateway. */
const signatureHeaders: Record<string, (body: Buffer) => [string, string]> = {
  'gateway-a': (body) => ['x-gateway-a-signature', hmacHex('sha512', GATEWAY_A_SECRET, body)],
  'gateway-b': () => ['verif-hash', GATEWAY_B_SECRET_HASH ?? ''],
  'gateway-c': (body) => {
    const time = Math.floor(Date.now() / 1000);
    return [
      'stripe-signature',
      `t=${time},v1=${hmacHex('sha256', GATEWAY_C_WEBHOOK_SECRET, `${time}.`, body)}`,
    ];
  },
};

/**
 * Generates webhooks with a valid signature and arbitrary content. Many refer to the payments of the attackers' own
 * orders, none to the victims'.
 */
export function signedWebhooks(route: string, world: World): fc.Arbitrary<WireRequest> {
  const [method = '', target = ''] = route.split(' ');
  const sign = signatureHeaders[target.split('/').at(-1) ?? ''];
  return bodiesOf(contentsFor(world)).map(({ bytes, headers }) => ({
    method,
    target,
    headers: [...headers, ...(sign ? [sign(bytes)] : [])],
    body: bytes,
  }));
}

/** Generates webhooks without a valid signature. */
export function unsignedWebhooks(route: string, world: World): fc.Arbitrary<WireRequest> {
  const name = route.split('/').at(-1) ?? '';
  const invalidSignatures = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '0',
      'x'.repeat(128),
      'x'.repeat(7_000),
      't=1,v1=',
      't=,v1=a',
      't=NaN,v1=a,v1=b',
      'undefined',
      '\u00e9',
    ),
    fc.stringMatching(/^[0-9a-f]{128}$/),
    fc.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
  );
  const [header = ''] = signatureHeaders[name]?.(Buffer.alloc(0)) ?? [];
  return fc
    .tuple(signedWebhooks(route, world), fc.option(invalidSignatures), fc.boolean())
    .map(([{ headers, ...rest }, signature, isDuplicate]) => {
      const otherHeaders = headers.filter(([headerName]) => headerName !== header);
      const invalidHeaders: [string, string][] = signature === null ? [] : [[header, signature]];
      return {
        ...rest,
        headers: [...otherHeaders, ...invalidHeaders, ...(isDuplicate ? invalidHeaders : [])],
      };
    });
}

/** Generates contents with the fields of all three gateways. Each gateway reads its own fields. */
function contentsFor({ references }: World): fc.Arbitrary<unknown> {
  const unexpectedValues: unknown[] = [
    1,
    '1',
    null,
    1e21,
    '9'.repeat(400),
    [[]],
    {},
    { toString: 1, valueOf: 1 },
    '\ud800',
  ];
  const anything = fc.oneof(fc.jsonValue(), fc.constantFrom(...unexpectedValues));
  const reference = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...references) }, fc.string(), anything);
  const money = fc.oneof(fc.constantFrom(5_125, 51.25, '51.25', 0, -1, 1e300), anything);
  const charge = fc.record(
    {
      reference,
      tx_ref: reference,
      client_reference_id: reference,
      id: fc.oneof(fc.nat(), fc.string(), anything),
      status: fc.oneof(fc.constantFrom('successful', 'success', 'failed', 'SUCCESSFUL', 'FAILED'), anything),
      amount: money,
      amount_total: money,
      currency: fc.oneof(fc.constantFrom('NGN', 'ngn', 'USD', 'XXX'), anything),
      payment_status: fc.oneof(fc.constantFrom('paid', 'unpaid'), anything),
      payment_intent: anything,
    },
    { requiredKeys: [] },
  );
  const data = fc.oneof(
    { weight: 5, arbitrary: charge },
    { weight: 3, arbitrary: charge.map((object) => ({ object })) },
    anything,
  );
  const event = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        'charge.success',
        'charge.failed',
        'charge.completed',
        'transfer.success',
        'transfer.failed',
        'transfer.reversed',
        'transfer.completed',
        'checkout.session.completed',
        'checkout.session.async_payment_succeeded',
        'checkout.session.async_payment_failed',
        'checkout.session.expired',
        'charge.unknown',
        '__proto__',
      ),
    },
    { weight: 1, arbitrary: anything },
  );
  return fc.tuple(event, data).map(([name, content]) => ({ event: name, type: name, data: content }));
}
