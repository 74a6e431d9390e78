import { optional } from '../../env.ts';
import { secret } from '../../secrets.ts';
import type { Gateway } from '../gateway.ts';
import { providerFailed } from '../provider-call.ts';
import { takes, toSubunits } from '../subunits.ts';
import { callGatewayA } from './call.ts';
import { refundGatewayA } from './refund.ts';
import { paymentSignal } from './webhook.ts';

/** Payments by gateway-a. */
export const gatewayA: Gateway = {
  name: 'gateway-a',

  async isConfigured() {
    return Boolean(optional('GATEWAY_A_URL') && (await secret('GATEWAY_A_SECRET')));
  },

  supports: (currency, amount) => takes('gateway-a', currency, amount),

  async start({ reference, amount, currency, email, name, returnUrl, description }) {
    const { ok, status, body } = await callGatewayA('POST', '/transaction/initialize', {
      body: {
        email,
        amount: Number(toSubunits('gateway-a', amount, currency)),
        currency,
        reference,
        callback_url: returnUrl,
        metadata: {
          customer_name: name,
          custom_fields: [{ display_name: 'For', variable_name: 'description', value: description }],
        },
      },
    });
    const checkoutUrl = body.data?.authorization_url;
    if (!ok || body.status !== true || typeof checkoutUrl !== 'string')
      throw providerFailed(`start: ${status}`);
    return { checkoutUrl };
  },

  async findPayment({ reference }, limitMilliseconds) {
    const path = `/transaction/verify/${encodeURIComponent(reference)}`;
    const { body } = await callGatewayA('GET', path, { limitMilliseconds });
    return body.data?.status === 'success' ? paymentSignal('paid', body.data) : undefined;
  },

  refund: refundGatewayA,
};
