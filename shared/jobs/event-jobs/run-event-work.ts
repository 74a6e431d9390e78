import { checkContract } from '../../catalog/events/check-contract.ts';
import { erasePerson } from '../../privacy/erase-person.ts';
import type { Messages } from '../../runtime/queue.ts';
import { runEventJob } from './run-event-job.ts';

/** Runs the work of one message. @param deadline when a job stops and queues another message (epoch milliseconds) */
export function runEventWork(message: Messages['event'], deadline: number): Promise<void> {
  if ('eraseUserId' in message) return erasePerson(message.eraseUserId);
  const { eventId, kind } = message;
  return kind === 'check-contract' ? checkContract(eventId) : runEventJob(eventId, kind, deadline);
}
