import { webhook } from '../../shared/http/webhook.ts';
import { settlePayout } from '../../shared/money/payouts/settle-payout.ts';
import { receivePayment } from '../../shared/orders/settlement/receive-payment.ts';
import { gatewayB, transferGatewayB } from '../../shared/payments/gateway-b/gateway.ts';
import { readGatewayBWebhook, webhookBody } from '../../shared/payments/gateway-b/webhook.ts';
import { sendMessage } from '../../shared/runtime/queue.ts';

const contract = {
  gateway: 'gateway-b',
  signatureHeader: 'verif-hash',
  body: webhookBody,
  errors: ['invalid-signature'],
} as const;

export const handler = webhook(contract, readGatewayBWebhook, {
  payment: (signal) => receivePayment(gatewayB, signal),
  returnedPayment: ({ kind: _, ...signal }) => sendMessage('payout', { returnedAt: 'gateway-b', ...signal }),
  transfer: (signal) => settlePayout(transferGatewayB, signal),
});
