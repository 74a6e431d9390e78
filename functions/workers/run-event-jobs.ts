import { runEventWork } from '../../shared/event-jobs/run-event-work.ts';
import type { Messages } from '../../shared/runtime/queue.ts';
import { queueWorker } from '../../shared/runtime/worker.ts';

/** The time for starting slices, of the function's timeout of 60 s. The rest is for the slice in progress. */
const workMilliseconds = 35_000;

export const handler = queueWorker((message: Messages['event']) =>
  runEventWork(message, Date.now() + workMilliseconds),
);
