import Stripe from 'stripe';
import { DomainError, unauthenticated } from '../../errors.ts';
import { secret } from '../../secrets.ts';
import type { WebhookReader } from '../gateway.ts';
import { parseWebhook } from '../parse-webhook.ts';
import { isPaid, sessionSignal } from './session.ts';

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
