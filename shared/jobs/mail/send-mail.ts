import { transition } from '../../core/state-machine.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { isAboutOrder, type Mail, mailLifecycle } from '../../messaging/outbox/mail.ts';
import {
  isMailConfigured,
  leaseMail,
  MailTransitionRefused,
  transitionMail,
  writeMail,
} from '../../messaging/outbox/store.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { log } from '../../runtime/log.ts';
import { MailRefused, sendRawMail } from '../../runtime/mail-service.ts';
import { incrementCounter } from '../../runtime/metrics.ts';
import { backoffMilliseconds, leaseMilliseconds } from '../../runtime/retry.ts';
import { countMailToUnconfirmedAddress, DailyMailLimitReached } from './daily-limit.ts';
import { failureNotification } from './failure-notification.ts';
import { toMime } from './layout/mime.ts';
import { composeMessage } from './messages/compose.ts';

const hourMilliseconds = 60 * 60 * 1000;
/** A mail is given up when its next attempt would be more than this after its request. */
const maximumAgeMilliseconds = 72 * hourMilliseconds;
const longestPauseMilliseconds = 4 * hourMilliseconds;

/**
 * Sends a mail of the outbox in three steps: lease, send, mark as sent. The lease ensures that only one of several
 * concurrent workers sends it. After a crash before the last step, or a lost response of the mail service, the mail is
 * sent twice.
 */
export async function sendMail(mailId: string): Promise<void> {
  // While mail is switched off, mails wait. They are sent once MAIL_FROM is set again.
  if (!isMailConfigured()) return;
  const mail = await leaseMail(mailId, Date.now() + leaseMilliseconds);
  if (!mail) return;
  try {
    await sendLeasedMail(mail);
  } catch (error) {
    if (!(error instanceof MailTransitionRefused)) throw error;
  }
}

async function sendLeasedMail(mail: Mail): Promise<void> {
  const { id, failures } = mail;
  let { isCounted } = mail;
  try {
    const message = await composeMessage(mail.content);
    // An erased person has no address.
    if (!message?.to) {
      await writeMail(
        transitionMail(mail, transition(mailLifecycle, 'drop', { reason: 'obsolete' }), 'never'),
      );
      return;
    }
    if (isAboutOrder(mail.content) && !isCounted) {
      await countMailToUnconfirmedAddress(message.to, mail.userId);
      isCounted = true;
    }
    await sendRawMail(message.to, await toMime(message, requiredSetting('MAIL_FROM')));
  } catch (error) {
    if (error instanceof DailyMailLimitReached) return waitForDailyLimit(mail, error.retryAfterSeconds);
    log.warn('Mail not sent', { mailId: id, failures, cause: (error as Error).name });
    return error instanceof MailRefused ? giveUp(mail, 'rejected') : postpone({ ...mail, isCounted });
  }
  await writeMail(transitionMail(mail, transition(mailLifecycle, 'send'), 'never'));
  log.info('Mail sent', { mailId: id });
  incrementCounter('MailsSent');
}

async function postpone(mail: Mail): Promise<void> {
  const failures = mail.failures + 1;
  const nextAttemptAt = Date.now() + Math.min(backoffMilliseconds(failures), longestPauseMilliseconds);
  if (nextAttemptAt > Date.parse(mail.requestedAt) + maximumAgeMilliseconds) return giveUp(mail, 'given-up');
  await writeMail(postponeWrite(mail, failures, nextAttemptAt));
  incrementCounter('MailsPostponed');
}

function postponeWrite(mail: Mail, failures: number, nextAttemptAt: number): Write {
  const notBefore = new Date(nextAttemptAt).toISOString();
  const { isCounted } = mail;
  return transitionMail(
    mail,
    transition(mailLifecycle, 'postpone', { failures, notBefore, isCounted }),
    nextAttemptAt,
  );
}

/** Postpones a mail until the daily limit allows it, without counting an attempt. */
async function waitForDailyLimit(mail: Mail, seconds: number): Promise<void> {
  const nextAttemptAt = Date.now() + seconds * 1000;
  if (nextAttemptAt > Date.parse(mail.requestedAt) + maximumAgeMilliseconds) return giveUp(mail, 'given-up');
  log.info('Mail has to wait for its daily limit', { mailId: mail.id });
  await writeMail(postponeWrite(mail, mail.failures, nextAttemptAt));
}

async function giveUp(mail: Mail, reason: 'rejected' | 'given-up'): Promise<void> {
  await transact([
    transitionMail(mail, transition(mailLifecycle, 'giveUp', { reason }), 'never'),
    insertNotification(failureNotification(mail)),
  ]);
  incrementCounter('MailsFailed');
}
