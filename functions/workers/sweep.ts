import type { Context } from 'aws-lambda';
import { sweep } from '../../shared/sweep/sweep-due.ts';

/** The time reserved for the messages in flight when the sweep stops. */
const reserveMilliseconds = 10_000;

/** Returns the number of queued items of each kind. */
export const handler = (_event: unknown, context: Context): Promise<Record<string, number>> =>
  sweep(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
