import { settleDueOrder } from '../../shared/orders/settlement/end-order.ts';
import { queueWorker } from '../../shared/runtime/function.ts';

export const handler = queueWorker(
  {
    queue: 'settle-orders',
    // 100 orders concurrently: 10,000 holds that end together take about 25 s when the gateway answers in 250 ms.
    batchSize: 10,
    batchSeconds: 0,
    maxConcurrency: 10,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'ConditionCheckItem'],
    sends: ['fulfil-orders', 'deliver-webhooks'],
    secrets: ['GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY', 'GATEWAY_C_SECRET_KEY'],
    settings: [
      'GATEWAY_A_URL',
      'GATEWAY_B_URL',
      'GATEWAY_C_URL',
      'HOLD_PAUSE_SECONDS',
      'UNPAID_ORDERS_PER_ADDRESS',
      'RETENTION_DAYS',
      'MAIL_FROM',
    ],
    chains: true,
    timeoutSeconds: 30,
  },
  ({ orderId }) => settleDueOrder(orderId),
);
