import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { readGatewayAWebhook } from '../../../shared/payments/gateway-a/webhook.ts';
import { readGatewayBWebhook } from '../../../shared/payments/gateway-b/webhook.ts';
import { readGatewayCWebhook } from '../../../shared/payments/gateway-c/webhook.ts';

/**
 * Webhooks with a valid signature but unexpected values must be accepted: a gateway redelivers refused ones for days.
 */

const secrets = {
  GATEWAY_A_SECRET: 'secret a',
  GATEWAY_B_SECRET_HASH: 'hash b',
  GATEWAY_C_WEBHOOK_SECRET: 'secret c',
};
beforeEach(() => void Object.assign(process.env, secrets));

const time = Math.floor(Date.now() / 1000);
const sign = (body: string): Record<string, string> => ({
  'x-gateway-a-signature': createHmac('sha512', secrets.GATEWAY_A_SECRET).update(body).digest('hex'),
  'verif-hash': secrets.GATEWAY_B_SECRET_HASH,
  'stripe-signature': `t=${time},v1=${createHmac('sha256', secrets.GATEWAY_C_WEBHOOK_SECRET).update(`${time}.${body}`).digest('hex')}`,
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
  const read = (body: string) => readers[gateway](Buffer.from(body), (name) => sign(body)[name]);

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
