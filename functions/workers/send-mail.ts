import { sendMail } from '../../shared/jobs/mail/send-mail.ts';
import { queueWorker } from '../../shared/runtime/function.ts';

export const handler = queueWorker(
  {
    queue: 'send-mail',
    // With batches of one, a crashed worker repeats at most one mail. infra/mail-rate.ts derives the concurrency of
    // a deployed stage from SES's quota.
    batchSize: 1,
    batchSeconds: 0,
    maxConcurrency: 4,
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    mail: true,
    secrets: ['JWT_ACCESS_SECRET', 'ORDER_ACCESS_SECRET', 'CHECK_IN_SECRET'],
    settings: ['RETENTION_DAYS', 'MAIL_FROM', 'PUBLIC_URL', 'SHOP_NAME', 'RETRY_SECONDS'],
    timeoutSeconds: 30,
  },
  ({ mailId }) =>
    sendMail(mailId, async (order, event) => {
      // Loads the fonts and pdfkit only for the events that want it.
      const { printForMail } = await import('../../shared/tickets/pdf/print-tickets.ts');
      return printForMail(order, event);
    }),
);
