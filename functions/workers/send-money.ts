import { releaseUpcomingEarnings } from '../../shared/money/ledger/release-upcoming.ts';
import { sendPayout } from '../../shared/money/payouts/send-payout.ts';
import { receiveReturn } from '../../shared/orders/refunds/receive-return.ts';
import { sendRefund } from '../../shared/orders/refunds/send-refund.ts';
import type { Messages } from '../../shared/runtime/queue.ts';
import { queueWorker } from '../../shared/runtime/worker.ts';

export const handler = queueWorker((message: Messages['payout']) => {
  if ('payoutId' in message) return sendPayout(message.payoutId, message.lease);
  if ('endedEventId' in message) return releaseUpcomingEarnings(message);
  if ('orderId' in message) return sendRefund(message.orderId);
  const { returnedAt: gateway, ...signal } = message;
  return receiveReturn(gateway, signal);
});
