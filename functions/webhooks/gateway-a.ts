import { settlePayout } from '../../shared/money/payouts/settle-payout.ts';
import { receivePayment } from '../../shared/orders/settlement/settle-order.ts';
import {
  gatewayA,
  readGatewayAWebhook,
  transferGatewayA,
  webhookBody,
} from '../../shared/payments/gateway-a.ts';
import { webhook } from '../../shared/payments/webhook-endpoint.ts';
import { sendMessage } from '../../shared/runtime/queue.ts';

const contract = {
  route: 'POST /api/webhooks/gateway-a',
  gateway: 'gateway-a',
  signatureHeader: 'x-gateway-a-signature',
  body: webhookBody,
  errors: ['server-configuration', 'no-signature', 'invalid-signature'],
  table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
  sends: ['fulfil-orders', 'send-money'],
  secrets: ['GATEWAY_A_SECRET'],
  settings: [
    'GATEWAY_A_SIGNATURE_HEADER',
    'GATEWAY_A_URL',
    'VERIFY_WITH_GATEWAY',
    'RETRY_SECONDS',
    'MAIL_FROM',
  ],
  memoryMegabytes: 1024,
} as const;

export const handler = webhook(contract, readGatewayAWebhook, {
  payment: (signal) => receivePayment(gatewayA, signal),
  returnedPayment: ({ kind: _, ...signal }) =>
    sendMessage('send-money', { type: 'receive-return', returnedAt: 'gateway-a', ...signal }),
  transfer: (signal) => settlePayout(transferGatewayA, signal),
});
