import { optional } from '../../env.ts';
import { secret } from '../../secrets.ts';
import type { Gateway } from '../gateway.ts';
import { providerFailed } from '../provider-call.ts';
import { takes, toMajor } from '../subunits.ts';
import { callGatewayB } from './call.ts';
import { refundGatewayB } from './refund.ts';
import { paymentSignal } from './webhook.ts';

/** Payments by gateway-b. */
export const gatewayB: Gateway = {
  name: 'gateway-b',

  async isConfigured() {
    return Boolean(optional('GATEWAY_B_URL') && (await secret('GATEWAY_B_SECRET_KEY')));
  },

  supports: (currency, amount) => takes('gateway-b', currency, amount),

  async start({ reference, amount, currency, email, name, returnUrl, description }) {
    const { ok, status, body } = await callGatewayB('POST', '/payments', {
      body: {
        tx_ref: reference,
        amount: toMajor(amount, currency),
        currency,
        redirect_url: returnUrl,
        customer: { email, name },
        customizations: { title: description },
      },
    });
    const checkoutUrl = body.data?.link;
    if (!ok || body.status !== 'success' || typeof checkoutUrl !== 'string') {
      throw providerFailed(`start: ${status}`);
    }
    return { checkoutUrl };
  },

  async findPayment({ reference }, limitMilliseconds) {
    const path = `/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`;
    const { body } = await callGatewayB('GET', path, { limitMilliseconds });
    return body.data?.status === 'successful' ? paymentSignal('paid', body.data) : undefined;
  },

  refund: refundGatewayB,
};
