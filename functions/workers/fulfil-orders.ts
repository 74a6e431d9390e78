import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import { batchWorker } from '../../shared/runtime/worker.ts';

/** Processes the whole batch at once, since one transaction posts several orders of an organizer. */
export const handler = batchWorker(fulfilOrders);
