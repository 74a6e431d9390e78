import { receivePayment } from '../../shared/orders/settlement/settle-order.ts';
import { gatewayB, readGatewayBWebhook, webhookBody } from '../../shared/payments/gateway-b.ts';
import { webhook } from '../../shared/payments/webhook-endpoint.ts';

const contract = {
  route: 'POST /api/webhooks/gateway-b',
  gateway: 'gateway-b',
  signatureHeader: 'verif-hash',
  body: webhookBody,
  errors: ['invalid-signature'],
  table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'Query', 'PutItem', 'ConditionCheckItem'],
  sends: ['fulfil-orders', 'send-money'],
  secrets: ['GATEWAY_B_SECRET_HASH', 'GATEWAY_B_SECRET_KEY'],
  settings: [
    'GATEWAY_B_URL',
    'VERIFY_WITH_GATEWAY',
    'RETRY_SECONDS',
    'HOLD_PAUSE_SECONDS',
    'UNPAID_ORDERS_PER_ADDRESS',
    'RETENTION_DAYS',
    'MAIL_FROM',
  ],
  memoryMegabytes: 1024,
} as const;

export const handler = webhook(contract, readGatewayBWebhook, (signal) => receivePayment(gatewayB, signal));
