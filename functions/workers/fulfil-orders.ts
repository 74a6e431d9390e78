import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import { batchWorker } from '../../shared/runtime/function.ts';

/** Processes the whole batch at once, since one transaction posts several orders of an organizer. */
export const handler = batchWorker(
  {
    queue: 'fulfil-orders',
    batchSize: 10,
    batchSeconds: 0,
    maxConcurrency: 20,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'Query'],
    sends: ['mint-tickets', 'send-mail', 'deliver-webhooks'],
    settings: ['RETENTION_DAYS', 'PAYOUTS_FROM', 'MAIL_FROM'],
    timeoutSeconds: 30,
  },
  fulfilOrders,
);
