import { sendMail } from '../../shared/jobs/mail/send-mail.ts';
import { queueWorker } from '../../shared/runtime/function.ts';

export const handler = queueWorker(
  {
    queue: 'send-links',
    batchSize: 1,
    batchSeconds: 0,
    maxConcurrency: 2,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    indexes: ['byOwner'],
    mail: true,
    secrets: ['JWT_ACCESS_SECRET', 'ORDER_ACCESS_SECRET'],
    settings: ['RETENTION_DAYS', 'MAIL_FROM', 'PUBLIC_URL', 'RETRY_SECONDS'],
    timeoutSeconds: 30,
  },
  ({ mailId }) => sendMail(mailId),
);
