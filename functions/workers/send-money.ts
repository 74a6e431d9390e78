import { unlockEarnings } from '../../shared/money/ledger/unlock-earnings.ts';
import { sendPayout } from '../../shared/money/payouts/send-payout.ts';
import { settlePayout } from '../../shared/money/payouts/settle-payout.ts';
import { receiveReturn } from '../../shared/orders/refunds/receive-return.ts';
import { sendRefund } from '../../shared/orders/refunds/send-refund.ts';
import { queueWorker } from '../../shared/runtime/function.ts';

export const handler = queueWorker(
  {
    queue: 'send-money',
    batchSize: 5,
    batchSeconds: 0,
    // Limits the load on a gateway: a cancelled event can have thousands of refunds.
    maxConcurrency: 2,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'ConditionCheckItem'],
    sends: ['send-money', 'deliver-webhooks', 'mint-tickets'],
    // Where tokens admit, a refund waits for its tokens to be burned.
    chains: true,
    secrets: ['GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY', 'GATEWAY_C_SECRET_KEY'],
    settings: [
      'RETENTION_DAYS',
      'PAYOUT_HOLD_DAYS',
      'GATEWAY_A_URL',
      'GATEWAY_B_URL',
      'GATEWAY_C_URL',
      'VERIFY_WITH_GATEWAY',
      'RETRY_SECONDS',
      'MAIL_FROM',
    ],
    timeoutSeconds: 45,
  },
  (message) => {
    switch (message.type) {
      case 'send-payout':
        return sendPayout(message.payoutId, message.lease);
      case 'settle-payout':
        return settlePayout(message.sentBy, message);
      case 'unlock-earnings':
        return unlockEarnings(message);
      case 'send-refund':
        return sendRefund(message.orderId);
      case 'receive-return':
        return receiveReturn(message.returnedAt, message);
    }
  },
);
