import { sendRefund } from '../../shared/orders/refunds/send-refund.ts';
import { sendPayout } from '../../shared/payouts/send-payout.ts';
import type { Messages } from '../../shared/runtime/queue.ts';
import { queueWorker } from '../../shared/runtime/worker.ts';

export const handler = queueWorker((message: Messages['payout']) =>
  'payoutId' in message ? sendPayout(message.payoutId, message.lease) : sendRefund(message.orderId),
);
