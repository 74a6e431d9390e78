import { createHmac } from 'node:crypto';
import { optional, required } from '../env.ts';
import { DomainError, unauthenticated } from '../errors.ts';
import { requiredSecret, secret } from '../secrets.ts';
import { readPaid } from './amount.ts';
import type { Gateway, Signal, WebhookReader } from './gateway.ts';
import { parseWebhook } from './parse-webhook.ts';
import { callProvider, providerFailed } from './provider-call.ts';
import { sameSecret } from './signature.ts';
import { takes, toSubunits } from './subunits.ts';

/** gateway-a speaks Paystack's protocol: https://paystack.com/docs/api */
export const gatewayA: Gateway = {
  name: 'gateway-a',

  async isConfigured() {
    return Boolean(optional('GATEWAY_A_URL') && (await secret('GATEWAY_A_SECRET')));
  },

  supports: (currency) => takes('gateway-a', currency),

  async start({ reference, amount, currency, email, name, returnUrl }) {
    const { status, body } = await callProvider({
      method: 'POST',
      url: `${required('GATEWAY_A_URL')}/transaction/initialize`,
      bearer: await requiredSecret('GATEWAY_A_SECRET'),
      body: {
        email,
        amount: Number(toSubunits('gateway-a', amount, currency)),
        currency,
        reference,
        callback_url: returnUrl,
        metadata: { customer_name: name },
      },
    });
    const checkoutUrl = body?.data?.authorization_url;
    if (status !== 200 || body.status !== true || typeof checkoutUrl !== 'string') throw providerFailed();
    return { checkoutUrl };
  },

  async findPayment(reference, limitMilliseconds) {
    const { status, body } = await callProvider({
      method: 'GET',
      url: `${required('GATEWAY_A_URL')}/transaction/verify/${encodeURIComponent(reference)}`,
      bearer: await requiredSecret('GATEWAY_A_SECRET'),
      limitMilliseconds,
    });
    if (status === 401 || status === 403) throw providerFailed();
    return body?.data?.status === 'success' ? paid(body.data) : undefined;
  },
};

/** The checks come in this order: configuration, presence, match. Nothing is parsed before the signature holds. */
export const readGatewayAWebhook: WebhookReader = async (body, header) => {
  const key = await secret('GATEWAY_A_SECRET');
  if (!key) throw new DomainError('misconfigured', 'server-configuration', 'Server configuration error');
  const signature = header((optional('GATEWAY_A_SIGNATURE_HEADER') ?? 'x-gateway-a-signature').toLowerCase());
  if (!signature) throw unauthenticated('No signature', 'no-signature');
  if (!sameSecret(signature, createHmac('sha512', key).update(body).digest('hex'))) {
    throw unauthenticated('Invalid signature', 'invalid-signature');
  }
  const { event, data } = parseWebhook(body);
  if (typeof data?.reference !== 'string') return undefined;
  if (event === 'charge.success') return paid(data);
  if (event === 'charge.failed') return { ...paid(data), kind: 'failed' };
  return undefined;
};

// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
function paid(data: any): Signal {
  return {
    kind: 'paid',
    reference: data.reference,
    transactionId: String(data.id),
    ...readPaid('gateway-a', 'sub', data.amount, data.currency),
  };
}
