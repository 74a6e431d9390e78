import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { resolveConfiguration } from '../../infra/local/defaults.ts';
import { initializeOrder, openSale, readOrder, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';

/** Webhooks over HTTP, signed by the openssl program instead of the service's code. */

const settings = resolveConfiguration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, process.env);

function hmac(algorithm: 'sha512' | 'sha256', key: string | undefined, input: string | Buffer): string {
  const arguments_ = ['dgst', `-${algorithm}`, '-hmac', key ?? '', '-hex'];
  return execFileSync('openssl', arguments_, { input }).toString().trim().split(' ').at(-1) ?? '';
}

const nowInSeconds = () => Math.floor(Date.now() / 1000);
const signatureHeaders = {
  'gateway-a': (body: Buffer) => ({
    'X-Gateway-A-Signature': hmac('sha512', settings.GATEWAY_A_SECRET, body),
  }),
  'gateway-b': () => ({ 'Verif-Hash': settings.GATEWAY_B_SECRET_HASH ?? '' }),
  'gateway-c': (body: Buffer) => {
    const time = nowInSeconds();
    const signedBytes = Buffer.concat([Buffer.from(`${time}.`), body]);
    return {
      'Stripe-Signature': `t=${time},v1=${hmac('sha256', settings.GATEWAY_C_WEBHOOK_SECRET, signedBytes)}`,
    };
  },
};
type Gateway = keyof typeof signatureHeaders;

/** Bodies that JSON.stringify would write differently: unusual whitespace, repeated keys, escapes and several scripts. */
const unusualBodies: Record<Gateway, (reference: string) => string> = {
  'gateway-a': (reference) =>
    `{\t"data" :{ "note":"Añjali \\u00e9 日本 🎫","id":\n 5,"reference" : "${reference}"}  ,"event":"x", "event":"charge.success"}\r\n\r\n`,
  'gateway-b': (reference) =>
    `\n{ "data":{"status" :"successful",  "tx_ref":"${reference}","note":"日本 🎫", "id":5},"event": "charge.completed" }`,
  'gateway-c': (reference) =>
    `{"type" :"checkout.session.completed" ,\n"note":"日本 🎫","data":{"object":{ "payment_status":"paid","client_reference_id":"${reference}","id":"cs_5" } } } `,
};

describe.concurrent.each(Object.keys(signatureHeaders) as Gateway[])('a webhook of %s', (gateway) => {
  const send = (body: string | Buffer, headers: Record<string, string>) =>
    call('POST', `/api/webhooks/${gateway}`, { body: new Uint8Array(Buffer.from(body)), headers });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/octet-stream'])(
    'completes an order only when its body is the signed bytes, with the content type %s',
    async (type) => {
      const buyer = await registerUser();
      const { orderId, reference } = await initializeOrder(await openSale(), buyer, 1, gateway);
      const body = Buffer.from(unusualBodies[gateway](reference));
      const headers = { ...signatureHeaders[gateway](body), 'content-type': type };
      // gateway-b sends a fixed secret instead of a signature.
      if (gateway !== 'gateway-b') {
        const alteredBody = Buffer.from(body.toString().replace(' ', '\t'));
        const answer = await send(alteredBody, headers);
        expect(answer).toMatchObject({ status: 401, body: { error: 'Invalid signature' } });
        expect(await readOrder(buyer, orderId)).toMatchObject({ paymentStatus: 'PENDING' });
      }
      expect(await send(body, headers)).toMatchObject({ status: 200, body: { ok: true } });
      expect(await readOrder(buyer, orderId)).toMatchObject({ paymentStatus: 'COMPLETED' });
    },
  );

  it('is refused without details when it has no valid signature', async () => {
    const body = Buffer.from(unusualBodies[gateway]('BOX-ABCDEF-1700000000000-ABCDEFGH'));
    const error = gateway === 'gateway-b' ? 'Invalid signature' : 'No signature';
    expect(await send(body, {})).toMatchObject({ status: 401, body: { error } });
    const [[headerName = ''] = []] = Object.entries(signatureHeaders[gateway](body));
    const answer = await send(body, { [headerName]: `t=${nowInSeconds()},v1=${'0'.repeat(64)}` });
    expect(answer).toMatchObject({ status: 401, body: { error: 'Invalid signature' } });
    expect(Object.keys(answer.body)).toEqual(['error']);
  });

  it(`is ${gateway === 'gateway-c' ? 'refused' : 'acknowledged'} when its signed bytes are not UTF-8`, async () => {
    const body = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]);
    expect(await send(body, signatureHeaders[gateway](body))).toMatchObject(
      // Stripe's package decodes the body as text before it compares the signature.
      gateway === 'gateway-c' ? { status: 401 } : { status: 200, body: { ok: true } },
    );
  });
});
