import { optionalSetting } from '../../runtime/config.ts';
import { log } from '../../runtime/log.ts';
import { sendMessages } from '../../runtime/queue.ts';
import { type MailContent, mailId } from './mail.ts';

/**
 * Queues mails of the outbox, so that they are sent at once. An error of the queue is only logged, since the sweep
 * queues the mails again.
 */
export async function queueMails(contents: readonly MailContent[]): Promise<void> {
  if (contents.length === 0 || !optionalSetting('MAIL_FROM')) return;
  try {
    await sendMessages(
      'send-mail',
      contents.map((content) => ({ message: { type: 'send-mail', mailId: mailId(content) } })),
    );
  } catch (error) {
    log.error('Mails could not be queued', error, { mails: contents.length });
  }
}
