import { allows, transition } from '../../core/state-machine.ts';
import { transact } from '../../dynamo/write.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { mailLifecycle } from '../../messaging/outbox/mail.ts';
import { findMail, transitionMail, writeMail } from '../../messaging/outbox/store.ts';
import type { Message } from '../../runtime/messages.ts';
import { failureNotification } from './failure-notification.ts';

/**
 * Records that a mail bounced, or that its recipient reported it as unwanted. Reports about a mail that was sent again
 * since are ignored, and so are repeated reports.
 * @throws MailTransitionRefused when a worker changes the mail at the same time. The queue then repeats the message
 */
export async function recordMailEvent({
  mailId,
  requestedAt,
  event,
}: Message<'record-mail-event'>): Promise<void> {
  const mail = await findMail(mailId);
  if (!mail || Date.parse(mail.requestedAt) !== Number(requestedAt)) return;
  if (event === 'Complaint') {
    if (!allows(mailLifecycle, 'complain', mail.status)) return;
    await writeMail(transitionMail(mail, transition(mailLifecycle, 'complain', { reason: 'complained' })));
    return;
  }
  if (!allows(mailLifecycle, 'bounce', mail.status)) return;
  await transact([
    transitionMail(mail, transition(mailLifecycle, 'bounce', { reason: 'bounced' }), 'never'),
    insertNotification(failureNotification(mail)),
  ]);
}
