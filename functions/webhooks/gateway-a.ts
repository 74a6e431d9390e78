import { webhook } from '../../shared/http/webhook.ts';
import { settlePayout } from '../../shared/money/payouts/settle-payout.ts';
import { receivePayment } from '../../shared/orders/settlement/receive-payment.ts';
import { gatewayA, transferGatewayA } from '../../shared/payments/gateway-a/gateway.ts';
import { readGatewayAWebhook, webhookBody } from '../../shared/payments/gateway-a/webhook.ts';
import { sendMessage } from '../../shared/runtime/queue.ts';

const contract = {
  gateway: 'gateway-a',
  signatureHeader: 'x-gateway-a-signature',
  body: webhookBody,
  errors: ['server-configuration', 'no-signature', 'invalid-signature'],
} as const;

export const handler = webhook(contract, readGatewayAWebhook, {
  payment: (signal) => receivePayment(gatewayA, signal),
  returnedPayment: ({ kind: _, ...signal }) => sendMessage('payout', { returnedAt: 'gateway-a', ...signal }),
  transfer: (signal) => settlePayout(transferGatewayA, signal),
});
