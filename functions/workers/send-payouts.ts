import { sendPayout } from '../../shared/payouts/send-payout.ts';
import type { Messages } from '../../shared/queue.ts';
import { queueWorker } from '../../shared/workers/queue-worker.ts';

export const handler = queueWorker(({ payoutId }: Messages['payout']) => sendPayout(payoutId));
