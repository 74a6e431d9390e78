import { createHmac } from 'node:crypto';
import { DomainError, unauthenticated } from '../../core/errors.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { isSameSecret, readSecret } from '../../runtime/secrets.ts';
import { parseWebhook, type ReturnSignal, toShortText, type WebhookReader } from '../gateway.ts';
import { toPaymentSignal, toTransferSignal } from './gateway.ts';

/**
 * Reads a webhook of gateway-a. Parses nothing before its signature is verified.
 * @throws DomainError 500 when the secret is not configured; 401 when the signature is missing or invalid
 */
export const readGatewayAWebhook: WebhookReader = async (body, header) => {
  const key = await readSecret('GATEWAY_A_SECRET');
  if (!key) throw new DomainError('misconfigured', 'server-configuration', 'Server configuration error');
  const signature = header(
    (optionalSetting('GATEWAY_A_SIGNATURE_HEADER') ?? 'x-gateway-a-signature').toLowerCase(),
  );
  if (!signature) throw unauthenticated('No signature', 'no-signature');
  if (!isSameSecret(signature, createHmac('sha512', key).update(body).digest('hex'))) {
    throw unauthenticated('Invalid signature', 'invalid-signature');
  }
  const { event, data } = parseWebhook(body);
  const signal = toReturnSignal(event, data);
  if (signal) return signal;
  if (typeof data?.reference !== 'string') return undefined;
  switch (event) {
    case 'charge.success':
      return toPaymentSignal('paid', data);
    case 'charge.failed':
      return toPaymentSignal('failed', data);
    case 'transfer.success':
      return toTransferSignal('transfer-succeeded', data);
    case 'transfer.failed':
    case 'transfer.reversed':
      return toTransferSignal('transfer-failed', data);
    default:
      return undefined;
  }
};

/**
 * Converts a refund or a dispute to a signal; returns undefined for any other event. A `refund.…` event has the
 * reference in a field of its own, a `charge.dispute.…` event in the nested payment.
 */
// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
function toReturnSignal(event: unknown, data: any): ReturnSignal | undefined {
  const isDispute = toShortText(event).startsWith('charge.dispute.');
  if (!isDispute && !toShortText(event).startsWith('refund.')) return undefined;
  const reference = data?.transaction_reference ?? data?.transaction?.reference;
  if (typeof reference !== 'string') return undefined;
  // The resolution is the merchant's answer: a dispute that the merchant accepted is followed by a refund.
  const isDisputeWon = event === 'charge.dispute.resolve' && data.resolution === 'declined';
  const dispute = { disputeId: toShortText(data.id), isDisputeWon };
  return { kind: 'returned', reference, isDispute, ...(isDispute && dispute) };
}

/** The fields of a webhook's body that this service reads, as JSON Schema for the API reference. */
export const webhookBody = {
  type: 'object',
  properties: {
    event: { type: 'string', description: 'The kind of event', examples: ['charge.success'] },
    data: {
      type: 'object',
      description: 'The payment or the transfer',
      properties: {
        id: { type: ['integer', 'string'], description: 'The gateway’s id', examples: [302961] },
        reference: {
          type: 'string',
          description: 'Our reference',
          examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'],
        },
        amount: { type: 'integer', description: 'In subunits', examples: [10250] },
        currency: { type: 'string', description: 'ISO 4217', examples: ['NGN'] },
      },
      required: ['id', 'reference'],
    },
  },
  required: ['event', 'data'],
} as const;
