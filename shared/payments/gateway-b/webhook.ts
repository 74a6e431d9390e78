import { unauthenticated } from '../../core/errors.ts';
import { log } from '../../runtime/log.ts';
import { isSameSecret, readSecret } from '../../runtime/secrets.ts';
import { parseWebhook, type Signal, toShortText, type WebhookReader } from '../gateway.ts';
import { toPaymentSignal, toTransferSignal } from './gateway.ts';

/**
 * Reads a webhook of gateway-b. Its header is a fixed secret, which authenticates the sender but not the content. With
 * the setting VERIFY_WITH_GATEWAY, settlement also queries the gateway for the payment.
 */
export const readGatewayBWebhook: WebhookReader = async (body, header) => {
  const expectedSecret = await readSecret('GATEWAY_B_SECRET_HASH');
  if (!expectedSecret) log.error('Webhook refused', new Error('GATEWAY_B_SECRET_HASH is not configured'));
  if (!isSameSecret(header('verif-hash') ?? '', expectedSecret ?? '')) {
    throw unauthenticated('Invalid signature', 'invalid-signature');
  }
  const { event, data } = parseWebhook(body);
  if (event === 'transfer.completed') return toTransferSignal(data);
  if (toShortText(event).startsWith('refund')) {
    // A refund has the provider's id of the payment, in this spelling, instead of our reference.
    const transactionId = toShortText(data?.TransactionId);
    return transactionId === '' ? undefined : { kind: 'returned', transactionId, isDispute: false };
  }
  if (typeof data?.tx_ref !== 'string') return undefined;
  if (toShortText(event).startsWith('chargeback')) {
    const dispute = { disputeId: toShortText(data.id), isDisputeWon: data.status === 'won' };
    return { kind: 'returned', reference: data.tx_ref, isDispute: true, ...dispute };
  }
  return toChargeSignal(event, data);
};

// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
function toChargeSignal(event: unknown, data: any): Signal | undefined {
  if (event === 'charge.failed') return toPaymentSignal('failed', data);
  if (event !== 'charge.completed') return undefined;
  if (data.status === 'successful') return toPaymentSignal('paid', data);
  return data.status === 'failed' ? toPaymentSignal('failed', data) : undefined;
}

/** The fields of a webhook's body that this service reads, as JSON Schema for the API reference. */
export const webhookBody = {
  type: 'object',
  properties: {
    event: { type: 'string', description: 'The kind of event', examples: ['charge.completed'] },
    data: {
      type: 'object',
      description: 'The payment or the transfer',
      properties: {
        id: { type: ['integer', 'string'], description: 'The gateway’s id', examples: [285959875] },
        status: { type: 'string', description: 'The outcome', examples: ['successful'] },
        tx_ref: {
          type: 'string',
          description: 'Our reference of a payment',
          examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'],
        },
        TransactionId: {
          type: ['integer', 'string'],
          description: 'The gateway’s id of a refunded payment',
          examples: [285959875],
        },
        reference: { type: 'string', description: 'Our reference of a transfer' },
        amount: { type: 'number', description: 'In major units', examples: [102.5] },
        currency: { type: 'string', description: 'ISO 4217', examples: ['NGN'] },
      },
      required: ['id', 'status'],
    },
  },
  required: ['event', 'data'],
} as const;
