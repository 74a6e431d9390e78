import type { Context } from 'aws-lambda';
import { sweep } from '../../shared/jobs/sweep/sweep-due.ts';
import { define } from '../../shared/runtime/function.ts';

/** The sweep stops this long before the function's timeout, so that messages in flight are sent. */
const reserveMilliseconds = 10_000;

/** Queues due work. @returns the number of queued items of each kind */
export const handler = define(
  {
    everyMinutes: 1,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    indexes: ['byDue'],
    settings: ['RETENTION_DAYS'],
    sends: [
      'fulfil-orders',
      'mint-tickets',
      'send-money',
      'settle-orders',
      'run-event-jobs',
      'send-mail',
      'send-links',
      'deliver-webhooks',
    ],
    timeoutSeconds: 55,
    // A sweep reads and postpones thousands of items; the CPU limits its speed.
    memoryMegabytes: 1769,
  },
  (_event: unknown, context: Context): Promise<Record<string, number>> =>
    sweep(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds),
);
