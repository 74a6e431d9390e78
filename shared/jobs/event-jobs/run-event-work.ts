import { checkContract } from '../../catalog/events/check-contract.ts';
import { erasePerson } from '../../privacy/erase-person.ts';
import type { Messages } from '../../runtime/messages.ts';
import { runEventJob } from './run-event-job.ts';

/** Runs the work of one message. @param deadline when a job stops and queues another message (epoch milliseconds) */
export function runEventWork(message: Messages['run-event-jobs'], deadline: number): Promise<void> {
  switch (message.type) {
    case 'run-job':
      return runEventJob(message.eventId, message.kind, deadline);
    case 'check-contract':
      return checkContract(message.eventId);
    case 'erase-person':
      return erasePerson(message.userId);
  }
}
