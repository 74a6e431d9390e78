import { webhook } from '../../shared/http/webhook.ts';
import { receivePayment } from '../../shared/orders/settlement/receive-payment.ts';
import { gatewayA, transfersA } from '../../shared/payments/gateway-a/gateway.ts';
import { readGatewayAWebhook, webhookBody } from '../../shared/payments/gateway-a/webhook.ts';
import { settlePayout } from '../../shared/payouts/settle-payout.ts';
import { send } from '../../shared/runtime/queue.ts';

const contract = {
  gateway: 'gateway-a',
  signatureHeader: 'x-gateway-a-signature',
  body: webhookBody,
  errors: ['server-configuration', 'no-signature', 'invalid-signature'],
} as const;

export const handler = webhook(contract, readGatewayAWebhook, {
  payment: (signal) => receivePayment(gatewayA, signal),
  returned: ({ kind: _, ...payment }) => send('payout', { returnedAt: 'gateway-a', ...payment }),
  transfer: (signal) => settlePayout(transfersA, signal),
});
