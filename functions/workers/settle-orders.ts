import { settleDueOrder } from '../../shared/orders/settlement/settle-due-order.ts';
import type { Messages } from '../../shared/runtime/queue.ts';
import { queueWorker } from '../../shared/runtime/worker.ts';

export const handler = queueWorker(({ orderId }: Messages['settle']) => settleDueOrder(orderId));
