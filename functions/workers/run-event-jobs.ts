import { runEventWork } from '../../shared/jobs/event-jobs/run-event-jobs.ts';
import { queueWorker } from '../../shared/runtime/function.ts';

/** A job starts slices within this time. The rest of the function's timeout is for the slice in progress. */
const workMilliseconds = 35_000;

export const handler = queueWorker(
  {
    queue: 'run-event-jobs',
    batchSize: 1,
    batchSeconds: 0,
    maxConcurrency: 5,
    table: [
      'GetItem',
      'BatchGetItem',
      'Query',
      'BatchWriteItem',
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'ConditionCheckItem',
    ],
    indexes: ['byEvent', 'byOwner'],
    sends: [
      'run-event-jobs',
      'fulfil-orders',
      'mint-tickets',
      'send-mail',
      'send-money',
      'deliver-webhooks',
      'resize-pictures',
    ],
    settings: [
      'RETENTION_DAYS',
      'MAIL_FROM',
      'OFFER_HOURS',
      'OFFER_AS_LONG_AS_WAITED',
      'HOLD_PAUSE_SECONDS',
      'QUEUE_TURN_MINUTES',
    ],
    chains: true,
    // Shorter than a job's lease. The draw of a million places takes 20 s of a core, 8 s of pauses and 520 MB: see
    // `npm run simulate`.
    timeoutSeconds: 110,
    memoryMegabytes: 1769,
  },
  (message) => runEventWork(message, Date.now() + workMilliseconds),
);
