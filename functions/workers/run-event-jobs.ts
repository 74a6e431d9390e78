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
    sends: ['run-event-jobs', 'fulfil-orders', 'mint-tickets', 'send-mail', 'send-money', 'deliver-webhooks'],
    settings: ['RETENTION_DAYS', 'MAIL_FROM', 'OFFER_HOURS', 'QUEUE_TURN_MINUTES'],
    chains: true,
    timeoutSeconds: 60,
    // The draw of a million places takes 840 MB, and 15 s of a core.
    memoryMegabytes: 1769,
  },
  (message) => runEventWork(message, Date.now() + workMilliseconds),
);
