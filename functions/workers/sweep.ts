import type { Context } from 'aws-lambda';
import { sweep } from '../../shared/sweep/sweep-due.ts';

/** Time left over for what is under way when the sweep stops taking up more. */
const reserveMilliseconds = 10_000;

export const handler = (_event: unknown, context: Context): Promise<void> =>
  sweep(Date.now() + context.getRemainingTimeInMillis() - reserveMilliseconds);
