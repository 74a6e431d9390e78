import { optional } from '../runtime/config.ts';
import { log } from '../runtime/log.ts';
import { sendAll } from '../runtime/queue.ts';
import { type MailContent, mailId } from './mail.ts';

/**
 * Has mails sent at once that are in the outbox already. The messages only make it quicker: where the queue does not
 * take them the sweep sends others, and nothing else fails.
 */
export async function queueMails(contents: readonly MailContent[]): Promise<void> {
  if (contents.length === 0 || !optional('MAIL_FROM')) return;
  try {
    await sendAll(
      'mail',
      contents.map((content) => ({ message: { mailId: mailId(content) } })),
    );
  } catch (error) {
    log.error('Mails could not be queued', error, { mails: contents.length });
  }
}
