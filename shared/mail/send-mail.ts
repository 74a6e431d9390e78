import { transition } from '../core/state-machine.ts';
import { transact, type Write } from '../dynamo/write.ts';
import { insertNotification } from '../notifications/store.ts';
import { optional, required } from '../runtime/config.ts';
import { log } from '../runtime/log.ts';
import { deliver, MailRefused } from '../runtime/mail-service.ts';
import { count } from '../runtime/metrics.ts';
import { backoff, lease } from '../runtime/retry.ts';
import { countUnconfirmed, DailyLimitReached } from './daily-limit.ts';
import { failureNotification } from './failure-notification.ts';
import { toMime } from './layout/mime.ts';
import { isToCustomer, type Mail, mailLifecycle } from './mail.ts';
import { composeMessage } from './messages/compose.ts';
import { findMail, MailTransitionRefused, transitionMail, writeMail } from './store.ts';

const hour = 60 * 60 * 1000;
/** How long sending a mail is retried, in milliseconds. */
const maximumAge = 72 * hour;
const longestPause = 4 * hour;

/**
 * Sends a mail of the outbox in three steps: lease, send, mark as sent. The lease lets one of several concurrent
 * workers act. A crash before the mark, or a lost answer of the mail service, sends the mail once more.
 */
export async function sendMail(mailId: string): Promise<void> {
  const mail = await findMail(mailId);
  if (mail?.status !== 'waiting' || Date.parse(mail.notBefore ?? '0') > Date.now()) return;
  // Mail was switched off: the mail is sent once it is configured again.
  if (!optional('MAIL_FROM')) return;
  try {
    const leased = transition(mailLifecycle, 'lease', { notBefore: inFuture(lease) });
    await advance(await writeMail(transitionMail(mail, leased)));
  } catch (error) {
    if (!(error instanceof MailTransitionRefused)) throw error;
  }
}

async function advance(mail: Mail): Promise<void> {
  const { id, failures } = mail;
  try {
    const message = await composeMessage(mail.content);
    // An erased person has no address.
    if (!message?.to) {
      await writeMail(
        transitionMail(mail, transition(mailLifecycle, 'drop', { reason: 'obsolete' }), 'never'),
      );
      return;
    }
    if (isToCustomer(mail.content) && failures === 0) await countUnconfirmed(message.to, mail.userId);
    await deliver(message.to, await toMime(message, required('MAIL_FROM')));
  } catch (error) {
    if (error instanceof DailyLimitReached) return waitForDailyLimit(mail, error.seconds);
    log.warn('Mail not sent', { mailId: id, failures, cause: (error as Error).name });
    return error instanceof MailRefused ? giveUp(mail, 'rejected') : postpone(mail);
  }
  await writeMail(transitionMail(mail, transition(mailLifecycle, 'send'), 'never'));
  log.info('Mail sent', { mailId: id });
  count('MailsSent');
}

async function postpone(mail: Mail): Promise<void> {
  const failures = mail.failures + 1;
  const next = Date.now() + Math.min(backoff(failures), longestPause);
  if (next > Date.parse(mail.requestedAt) + maximumAge) return giveUp(mail, 'given-up');
  await writeMail(postponement(mail, failures, next));
  count('MailsPostponed');
}

function postponement(mail: Mail, failures: number, next: number): Write {
  const notBefore = new Date(next).toISOString();
  return transitionMail(mail, transition(mailLifecycle, 'postpone', { failures, notBefore }), next);
}

/** Postpones a mail to the end of its daily limit, without counting an attempt. */
async function waitForDailyLimit(mail: Mail, seconds: number): Promise<void> {
  const next = Date.now() + seconds * 1000;
  if (next > Date.parse(mail.requestedAt) + maximumAge) return giveUp(mail, 'given-up');
  log.info('Mail has to wait for its daily limit', { mailId: mail.id });
  await writeMail(postponement(mail, mail.failures, next));
}

async function giveUp(mail: Mail, reason: 'rejected' | 'given-up'): Promise<void> {
  await transact([
    transitionMail(mail, transition(mailLifecycle, 'giveUp', { reason }), 'never'),
    insertNotification(failureNotification(mail)),
  ]);
  count('MailsFailed');
}

function inFuture(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}
