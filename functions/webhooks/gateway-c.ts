import { receivePayment } from '../../shared/orders/settlement/settle-order.ts';
import { gatewayC, readGatewayCWebhook, webhookBody } from '../../shared/payments/gateway-c.ts';
import { webhook } from '../../shared/payments/webhook-endpoint.ts';

const contract = {
  route: 'POST /api/webhooks/gateway-c',
  gateway: 'gateway-c',
  signatureHeader: 'stripe-signature',
  body: webhookBody,
  errors: ['server-configuration', 'no-signature', 'invalid-signature'],
  table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'Query', 'PutItem', 'ConditionCheckItem'],
  sends: ['fulfil-orders', 'send-money'],
  secrets: ['GATEWAY_C_WEBHOOK_SECRET', 'GATEWAY_C_SECRET_KEY'],
  settings: [
    'GATEWAY_C_URL',
    'VERIFY_WITH_GATEWAY',
    'HOLD_PAUSE_SECONDS',
    'UNPAID_ORDERS_PER_ADDRESS',
    'RETENTION_DAYS',
    'MAIL_FROM',
  ],
  memoryMegabytes: 1024,
} as const;

export const handler = webhook(contract, readGatewayCWebhook, (signal) => receivePayment(gatewayC, signal));
