import { fulfilOrder } from '../../shared/orders/fulfil-order.ts';
import { queueWorker } from '../../shared/workers/queue-worker.ts';

export const handler = queueWorker(fulfilOrder);
