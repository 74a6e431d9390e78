import { settlePayout } from '../../shared/money/payouts/settle-payout.ts';
import { receivePayment } from '../../shared/orders/settlement/settle-order.ts';
import {
  gatewayB,
  readGatewayBWebhook,
  transferGatewayB,
  webhookBody,
} from '../../shared/payments/gateway-b.ts';
import { webhook } from '../../shared/payments/webhook-endpoint.ts';
import { sendMessage } from '../../shared/runtime/queue.ts';

const contract = {
  route: 'POST /api/webhooks/gateway-b',
  gateway: 'gateway-b',
  signatureHeader: 'verif-hash',
  body: webhookBody,
  errors: ['invalid-signature'],
  table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
  sends: ['fulfil-orders', 'send-money'],
  secrets: ['GATEWAY_B_SECRET_HASH', 'GATEWAY_B_SECRET_KEY'],
  settings: ['GATEWAY_B_URL', 'VERIFY_WITH_GATEWAY', 'RETRY_SECONDS', 'MAIL_FROM'],
  memoryMegabytes: 1024,
} as const;

export const handler = webhook(contract, readGatewayBWebhook, {
  payment: (signal) => receivePayment(gatewayB, signal),
  returnedPayment: ({ kind: _, ...signal }) =>
    sendMessage('send-money', { type: 'receive-return', returnedAt: 'gateway-b', ...signal }),
  transfer: (signal) => settlePayout(transferGatewayB, signal),
});
