import { checkContract } from '../events/check-contract.ts';
import type { Messages } from '../runtime/queue.ts';
import { runEventJob } from './run-event-job.ts';

/** @param deadline when a job stops and leaves the rest to another message (epoch milliseconds) */
export function runEventWork({ eventId, kind }: Messages['event'], deadline: number): Promise<void> {
  return kind === 'check-contract' ? checkContract(eventId) : runEventJob(eventId, kind, deadline);
}
