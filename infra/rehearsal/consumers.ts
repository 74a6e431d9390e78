import { functions } from '../functions.ts';

/** The rows that queues call, with what they say of their queue. */
export const consumers = functions.flatMap((row) =>
  'queue' in row.trigger ? [{ row, ...row.trigger }] : [],
);
