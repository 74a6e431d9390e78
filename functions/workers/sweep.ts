import type { Context } from 'aws-lambda';
import { sweep } from '../../shared/jobs/sweep/sweep-due.ts';

/** The sweep stops this long before the function's timeout, so that messages in flight are sent. */
const reserveMilliseconds = 10_000;

/** Queues due work. @returns the number of queued items of each kind */
export const handler = (_event: unknown, context: Context): Promise<Record<string, number>> =>
  sweep(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
