import { sendPayout } from '../../shared/payouts/send-payout.ts';
import type { Messages } from '../../shared/queue.ts';
import { sendRefund } from '../../shared/refunds/send-refund.ts';
import { queueWorker } from '../../shared/workers/queue-worker.ts';

export const handler = queueWorker((message: Messages['payout']) =>
  'payoutId' in message ? sendPayout(message.payoutId) : sendRefund(message.orderId),
);
