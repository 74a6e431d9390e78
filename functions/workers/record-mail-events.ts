import { recordMailEvent } from '../../shared/jobs/mail/record-mail-event.ts';
import { queueWorker } from '../../shared/runtime/function.ts';

export const handler = queueWorker(
  {
    queue: 'record-mail-events',
    batchSize: 10,
    batchSeconds: 1,
    maxConcurrency: 2,
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    settings: ['RETENTION_DAYS'],
  },
  recordMailEvent,
);
