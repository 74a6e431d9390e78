import { receivePayment } from '../../shared/orders/settlement/settle-order.ts';
import { gatewayA, readGatewayAWebhook, webhookBody } from '../../shared/payments/gateway-a.ts';
import { webhook } from '../../shared/payments/webhook-endpoint.ts';

const contract = {
  route: 'POST /api/webhooks/gateway-a',
  gateway: 'gateway-a',
  signatureHeader: 'x-gateway-a-signature',
  body: webhookBody,
  errors: ['server-configuration', 'no-signature', 'invalid-signature'],
  table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'Query', 'PutItem', 'ConditionCheckItem'],
  sends: ['fulfil-orders', 'send-money'],
  secrets: ['GATEWAY_A_SECRET'],
  settings: [
    'GATEWAY_A_SIGNATURE_HEADER',
    'GATEWAY_A_URL',
    'VERIFY_WITH_GATEWAY',
    'RETRY_SECONDS',
    'HOLD_PAUSE_SECONDS',
    'UNPAID_ORDERS_PER_ADDRESS',
    'RETENTION_DAYS',
    'MAIL_FROM',
  ],
  memoryMegabytes: 1024,
} as const;

export const handler = webhook(contract, readGatewayAWebhook, (signal) => receivePayment(gatewayA, signal));
