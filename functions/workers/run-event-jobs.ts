import { runEventWork } from '../../shared/jobs/event-jobs/run-event-work.ts';
import type { Messages } from '../../shared/runtime/queue.ts';
import { queueWorker } from '../../shared/runtime/worker.ts';

/** A job starts slices within this time. The rest of the function's timeout of 60 s is for the slice in progress. */
const workMilliseconds = 35_000;

export const handler = queueWorker((message: Messages['event']) =>
  runEventWork(message, Date.now() + workMilliseconds),
);
