import { processPicture } from '../../shared/catalog/pictures/process-picture.ts';
import { paymentMethodSettings } from '../../shared/payments/payment-methods.ts';
import { queueWorker } from '../../shared/runtime/function.ts';

export const handler = queueWorker(
  {
    queue: 'resize-pictures',
    batchSize: 1,
    batchSeconds: 0,
    maxConcurrency: 4,
    // A change of an event or a page, as their endpoints make it.
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem', 'DeleteItem', 'Query'],
    indexes: ['byOwner'],
    objects: {
      uploads: ['GetObject', 'DeleteObject'],
      pictures: ['GetObject', 'PutObject', 'DeleteObject'],
    },
    sends: ['run-event-jobs', 'deliver-webhooks'],
    settings: [
      'PUBLIC_URL',
      'TICKET_CONTRACTS',
      'STOCK_SHARD_SIZE',
      'MAIL_FROM',
      'PUBLISHING_NEEDS_VERIFIED_EMAIL',
      'PUBLISHED_EVENTS_PER_DAY',
      ...paymentMethodSettings,
    ],
    // A picture of 4,000 × 4,000 pixels takes 3 s of a core, and 500 MB.
    timeoutSeconds: 30,
    memoryMegabytes: 1769,
  },
  processPicture,
);
