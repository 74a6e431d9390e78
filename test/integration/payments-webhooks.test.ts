import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { configuration } from '../../infra/local/defaults.ts';
import { call } from '../support/http.ts';
import { registerUser } from '../support/people.ts';
import { initializeOrder, openSale, readOrder } from '../support/sales.ts';

/** Webhooks over HTTP, signed by openssl over the exact bytes. */

const settings = configuration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, process.env);

function openssl(algorithm: 'sha512' | 'sha256', key: string | undefined, input: string | Buffer): string {
  const arguments_ = ['dgst', `-${algorithm}`, '-hmac', key ?? '', '-hex'];
  return execFileSync('openssl', arguments_, { input }).toString().trim().split(' ').at(-1) ?? '';
}

const now = () => Math.floor(Date.now() / 1000);
const headersOf = {
  'gateway-a': (body: Buffer) => ({
    'X-Gateway-A-Signature': openssl('sha512', settings.GATEWAY_A_SECRET, body),
  }),
  'gateway-b': () => ({ 'Verif-Hash': settings.GATEWAY_B_SECRET_HASH ?? '' }),
  'gateway-c': (body: Buffer) => {
    const time = now();
    const signed = Buffer.concat([Buffer.from(`${time}.`), body]);
    return {
      'Stripe-Signature': `t=${time},v1=${openssl('sha256', settings.GATEWAY_C_WEBHOOK_SECRET, signed)}`,
    };
  },
};
type Gateway = keyof typeof headersOf;

/** JSON that no serializer writes: unusual spacing and order, repeated and unknown keys, an escape, many scripts. */
const oddly: Record<Gateway, (reference: string) => string> = {
  'gateway-a': (reference) =>
    `{\t"data" :{ "note":"Añjali \\u00e9 日本 🎫","id":\n 5,"reference" : "${reference}"}  ,"event":"x", "event":"charge.success"}\r\n\r\n`,
  'gateway-b': (reference) =>
    `\n{ "data":{"status" :"successful",  "tx_ref":"${reference}","note":"日本 🎫", "id":5},"event": "charge.completed" }`,
  'gateway-c': (reference) =>
    `{"type" :"checkout.session.completed" ,\n"note":"日本 🎫","data":{"object":{ "payment_status":"paid","client_reference_id":"${reference}","id":"cs_5" } } } `,
};

describe.concurrent.each(Object.keys(headersOf) as Gateway[])('%s', (gateway) => {
  const send = (body: string | Buffer, headers: Record<string, string>) =>
    call('POST', `/api/webhooks/${gateway}`, { body: new Uint8Array(Buffer.from(body)), headers });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/octet-stream'])(
    'completes an order by exactly the signed bytes, sent as %s',
    async (type) => {
      const buyer = await registerUser();
      const { orderId, reference } = await initializeOrder(await openSale(), buyer, 1, gateway);
      const body = Buffer.from(oddly[gateway](reference));
      const headers = { ...headersOf[gateway](body), 'content-type': type };
      if (gateway !== 'gateway-b') {
        const altered = Buffer.from(body.toString().replace(' ', '\t'));
        const refusal = await send(altered, headers);
        expect(refusal).toMatchObject({ status: 401, body: { error: 'Invalid signature' } });
        expect(await readOrder(buyer, orderId)).toMatchObject({ paymentStatus: 'PENDING' });
      }
      expect(await send(body, headers)).toMatchObject({ status: 200, body: { ok: true } });
      expect(await readOrder(buyer, orderId)).toMatchObject({ paymentStatus: 'COMPLETED' });
    },
  );

  it('refuses an unsigned body without details', async () => {
    const body = Buffer.from(oddly[gateway]('BOX-ABCDEF-1700000000000-ABCDEFGH'));
    const missing = gateway === 'gateway-b' ? 'Invalid signature' : 'No signature';
    expect(await send(body, {})).toMatchObject({ status: 401, body: { error: missing } });
    const [[name = ''] = []] = Object.entries(headersOf[gateway](body));
    const wrong = await send(body, { [name]: `t=${now()},v1=${'0'.repeat(64)}` });
    expect(wrong).toMatchObject({ status: 401, body: { error: 'Invalid signature' } });
    expect(Object.keys(wrong.body)).toEqual(['error']);
  });

  it('acknowledges signed bytes that are not text', async () => {
    const body = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]);
    expect(await send(body, headersOf[gateway](body))).toMatchObject(
      // Stripe signs text: its package reads bytes as such before it compares.
      gateway === 'gateway-c' ? { status: 401 } : { status: 200, body: { ok: true } },
    );
  });
});
