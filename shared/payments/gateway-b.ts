import { optional, required } from '../env.ts';
import { unauthenticated } from '../errors.ts';
import { log } from '../log.ts';
import { requiredSecret, secret } from '../secrets.ts';
import { readPaid } from './amount.ts';
import type { Gateway, Signal, WebhookReader } from './gateway.ts';
import { parseWebhook } from './parse-webhook.ts';
import { callProvider, providerFailed } from './provider-call.ts';
import { sameSecret } from './signature.ts';
import { takes, toMajor } from './subunits.ts';

/** gateway-b speaks Flutterwave's v3 protocol: https://developer.flutterwave.com/v3.0 */
export const gatewayB: Gateway = {
  name: 'gateway-b',

  async isConfigured() {
    return Boolean(optional('GATEWAY_B_URL') && (await secret('GATEWAY_B_SECRET_KEY')));
  },

  supports: (currency) => takes('gateway-b', currency),

  async start({ reference, amount, currency, email, name, returnUrl, description }) {
    const { status, body } = await callProvider({
      method: 'POST',
      url: `${required('GATEWAY_B_URL')}/payments`,
      bearer: await requiredSecret('GATEWAY_B_SECRET_KEY'),
      body: {
        tx_ref: reference,
        amount: toMajor(amount, currency),
        currency,
        redirect_url: returnUrl,
        customer: { email, name },
        customizations: { title: description },
      },
    });
    const checkoutUrl = body?.data?.link;
    if (status !== 200 || body.status !== 'success' || typeof checkoutUrl !== 'string')
      throw providerFailed();
    return { checkoutUrl };
  },

  async findPayment(reference, limitMilliseconds) {
    const { status, body } = await callProvider({
      method: 'GET',
      url: `${required('GATEWAY_B_URL')}/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`,
      bearer: await requiredSecret('GATEWAY_B_SECRET_KEY'),
      limitMilliseconds,
    });
    if (status === 401 || status === 403) throw providerFailed();
    return body?.data?.status === 'successful' ? paid(body.data) : undefined;
  },
};

/** The header is a fixed secret: it proves who sends, not what is sent. See VERIFY_WITH_GATEWAY. */
export const readGatewayBWebhook: WebhookReader = async (body, header) => {
  const expected = await secret('GATEWAY_B_SECRET_HASH');
  if (!expected) log.error('Webhook refused', new Error('GATEWAY_B_SECRET_HASH is not configured'));
  if (!sameSecret(header('verif-hash') ?? '', expected ?? '')) {
    throw unauthenticated('Invalid signature', 'invalid-signature');
  }
  const { event, data } = parseWebhook(body);
  if (typeof data?.tx_ref !== 'string') return undefined;
  if (event === 'charge.completed' && data.status === 'successful') return paid(data);
  if (event === 'charge.failed' || (event === 'charge.completed' && data.status === 'failed')) {
    return { ...paid(data), kind: 'failed' };
  }
  return undefined;
};

// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
function paid(data: any): Signal {
  return {
    kind: 'paid',
    reference: data.tx_ref,
    transactionId: String(data.id),
    ...readPaid('gateway-b', 'major', data.amount, data.currency),
  };
}
