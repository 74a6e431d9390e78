import { webhook } from '../../shared/http/webhook.ts';
import { receivePayment } from '../../shared/orders/settlement/receive-payment.ts';
import { gatewayC } from '../../shared/payments/gateway-c/gateway.ts';
import { readGatewayCWebhook, webhookBody } from '../../shared/payments/gateway-c/webhook.ts';
import { sendMessage } from '../../shared/runtime/queue.ts';

const contract = {
  gateway: 'gateway-c',
  signatureHeader: 'stripe-signature',
  body: webhookBody,
  errors: ['server-configuration', 'no-signature', 'invalid-signature'],
} as const;

export const handler = webhook(contract, readGatewayCWebhook, {
  payment: (signal) => receivePayment(gatewayC, signal),
  returnedPayment: ({ kind: _, ...signal }) => sendMessage('payout', { returnedAt: 'gateway-c', ...signal }),
});
