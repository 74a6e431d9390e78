import Stripe from 'stripe';
import { DomainError, unauthenticated } from '../../core/errors.ts';
import { secret } from '../../runtime/secrets.ts';
import type { WebhookReader } from '../webhook.ts';
import { parseWebhook } from '../webhook.ts';
import { isPaid, sessionSignal } from './gateway.ts';

/** How old a signature may be, so that a delivery that somebody recorded can't be played again for ever. */
const toleranceSeconds = 300;

/** The checks come in this order: configuration, presence, match. Nothing is parsed before the signature holds. */
export const readGatewayCWebhook: WebhookReader = async (body, header) => {
  const key = await secret('GATEWAY_C_WEBHOOK_SECRET');
  if (!key) throw new DomainError('misconfigured', 'server-configuration', 'Server configuration error');
  const signature = header('stripe-signature');
  if (!signature) throw unauthenticated('No signature', 'no-signature');
  if (!isGenuine(body, signature, key)) throw unauthenticated('Invalid signature', 'invalid-signature');
  const { type, data } = parseWebhook(body);
  const session = data?.object;
  if (typeof session?.client_reference_id !== 'string') return undefined;
  switch (type) {
    case 'checkout.session.completed':
      return isPaid(session) ? sessionSignal('paid', session) : undefined;
    case 'checkout.session.async_payment_succeeded':
      return sessionSignal('paid', session);
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return sessionSignal('failed', session);
    default:
      return undefined;
  }
};

function isGenuine(body: Buffer, signature: string, key: string): boolean {
  try {
    return Stripe.webhooks.signature?.verifyHeader(body, signature, key, toleranceSeconds) ?? false;
  } catch {
    // It does not match, is too old, or is so malformed that the package itself fails on it (`v1=`).
    return false;
  }
}

/** What we read of a webhook’s body, as JSON Schema for the API reference; there is more in it. */
export const webhookBody = {
  type: 'object',
  properties: {
    type: { type: 'string', examples: ['checkout.session.completed'] },
    data: {
      type: 'object',
      properties: {
        object: {
          type: 'object',
          properties: {
            client_reference_id: { type: 'string', examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'] },
            payment_intent: { type: ['string', 'null'], examples: ['pi_3Nq8sample'] },
            payment_status: { type: 'string', examples: ['paid'] },
            amount_total: { type: 'integer', description: 'In subunits', examples: [10250] },
            currency: { type: 'string', examples: ['usd'] },
          },
          required: ['client_reference_id'],
        },
      },
      required: ['object'],
    },
  },
  required: ['type', 'data'],
} as const;
