import { functions } from '../functions.ts';

/** The functions that read queues, with their triggers. */
export const consumers = functions.flatMap((row) =>
  'queue' in row.trigger ? [{ row, ...row.trigger }] : [],
);
