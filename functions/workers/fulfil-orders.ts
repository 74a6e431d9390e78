import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import { batchWorker } from '../../shared/runtime/worker.ts';

/** The whole batch at once, since orders of one organizer are booked in one transaction. */
export const handler = batchWorker(fulfilOrders);
