import { runEventWork } from '../../shared/event-jobs/run-event-work.ts';
import type { Messages } from '../../shared/runtime/queue.ts';
import { queueWorker } from '../../shared/runtime/worker.ts';

/** Of the function's 60 s: the rest is for the slice that is under way then. */
const workMilliseconds = 35_000;

export const handler = queueWorker((message: Messages['event']) =>
  runEventWork(message, Date.now() + workMilliseconds),
);
