import Stripe from 'stripe';
import { DomainError, unauthenticated } from '../../core/errors.ts';
import { readSecret } from '../../runtime/secrets.ts';
import { parseWebhook, toShortText, type WebhookReader } from '../gateway.ts';
import { isPaid, toPaymentSignal } from './gateway.ts';

/** The largest age of a signature. It limits replays of a recorded delivery. */
const toleranceSeconds = 300;

/** A dispute that the merchant has won, an inquiry that ended without a dispute, and a dispute that was blocked. */
const wonDisputeStatuses = ['won', 'warning_closed', 'prevented'];

/**
 * Checks that the secret is configured, the signature present, and the signature valid, in this order. Parses nothing
 * before that.
 */
export const readGatewayCWebhook: WebhookReader = async (body, header) => {
  const key = await readSecret('GATEWAY_C_WEBHOOK_SECRET');
  if (!key) throw new DomainError('misconfigured', 'server-configuration', 'Server configuration error');
  const signature = header('stripe-signature');
  if (!signature) throw unauthenticated('No signature', 'no-signature');
  if (!hasValidSignature(body, signature, key))
    throw unauthenticated('Invalid signature', 'invalid-signature');
  const { type, data } = parseWebhook(body);
  const eventObject = data?.object;
  const isDispute = typeof type === 'string' && type.startsWith('charge.dispute.');
  if (isDispute || type === 'charge.refunded') {
    const transactionId = toShortText(eventObject?.payment_intent);
    if (transactionId === '') return undefined;
    const isDisputeWon = wonDisputeStatuses.includes(eventObject.status);
    const dispute = { disputeId: toShortText(eventObject.id), isDisputeWon };
    return { kind: 'returned', transactionId, isDispute, ...(isDispute && dispute) };
  }
  if (typeof eventObject?.client_reference_id !== 'string') return undefined;
  switch (type) {
    case 'checkout.session.completed':
      return isPaid(eventObject) ? toPaymentSignal('paid', eventObject) : undefined;
    case 'checkout.session.async_payment_succeeded':
      return toPaymentSignal('paid', eventObject);
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return toPaymentSignal('failed', eventObject);
    default:
      return undefined;
  }
};

function hasValidSignature(body: Buffer, signature: string, key: string): boolean {
  try {
    return Stripe.webhooks.signature?.verifyHeader(body, signature, key, toleranceSeconds) ?? false;
  } catch {
    // The signature does not match, is too old, or is malformed. On `v1=` the package throws a TypeError.
    return false;
  }
}

/** The fields of a webhook's body that this service reads, as JSON Schema for the API reference. */
export const webhookBody = {
  type: 'object',
  properties: {
    type: { type: 'string', description: 'The kind of event', examples: ['checkout.session.completed'] },
    data: {
      type: 'object',
      description: 'What the event is about',
      properties: {
        object: {
          type: 'object',
          description: 'The Checkout Session, charge or dispute',
          properties: {
            client_reference_id: {
              type: 'string',
              description: 'Our reference',
              examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'],
            },
            payment_intent: {
              type: ['string', 'null'],
              description: 'The gateway’s id of the payment',
              examples: ['pi_3Nq8sample'],
            },
            payment_status: {
              type: 'string',
              description: '`paid` and `no_payment_required` complete the order',
              examples: ['paid'],
            },
            amount_total: { type: 'integer', description: 'In subunits', examples: [10250] },
            currency: { type: 'string', description: 'ISO 4217, in lower case', examples: ['usd'] },
          },
          required: ['client_reference_id'],
        },
      },
      required: ['object'],
    },
  },
  required: ['type', 'data'],
} as const;
