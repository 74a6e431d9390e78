import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { countAttempt, refuseAfterTooManyAttempts } from '../../accounts/rate-limit.ts';
import { findSessionOwner } from '../../accounts/users/store.ts';
import { DomainError } from '../../core/errors.ts';
import { transition } from '../../core/state-machine.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { type Mail, type MailContent, mailLifecycle } from '../../messaging/outbox/mail.ts';
import {
  isMailConfigured,
  leaseMail,
  MailTransitionRefused,
  transitionMail,
  writeMail,
} from '../../messaging/outbox/store.ts';
import { optionalSetting, requiredSetting } from '../../runtime/config.ts';
import { MailRefused, sendRawMail } from '../../runtime/mail-service.ts';
import { backoffMilliseconds, leaseMilliseconds } from '../../runtime/retry.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import {
  composeDeviceMessage,
  composeEndpointMessage,
  composeFactorMessage,
  composeInvitationMessage,
  composeLinkMessage,
  composePayoutMessage,
  composeWalletMessage,
} from './account-messages.ts';
import { failureNotification } from './failure-notification.ts';
import { type Message, toMime } from './layout.ts';
import { composeOrderLinks, composeOrderMessage, type PrintTickets } from './order-messages.ts';
import { composeHolderMessage, composeOfferMessage, composeTicketMessage } from './ticket-messages.ts';
import { composeWaitingEnd, composeWaitingOffer } from './waiting-list-messages.ts';

const hourMilliseconds = 60 * 60 * 1000;
/** A mail is given up when its next attempt would be more than this after its request. */
const maximumAgeMilliseconds = 72 * hourMilliseconds;
const longestPauseMilliseconds = 4 * hourMilliseconds;

/**
 * Sends a mail of the outbox in three steps: lease, send, mark as sent. The lease ensures that only one of several
 * concurrent workers sends it. After a crash before the last step, or a lost response of the mail service, the mail is
 * sent twice. A deployed worker then waits until it may send the next mail, within SES's quota (infra/mail-rate.ts). One that
 * is not sent takes none of it: mails over the daily limits would delay all others.
 * @param printTickets prints the tickets that a mail has as a file; only the worker of tickets has the fonts for it
 */
export async function sendMail(mailId: string, printTickets?: PrintTickets): Promise<void> {
  // While mail is switched off, mails wait. They are sent once MAIL_FROM is set again.
  if (!isMailConfigured()) return;
  const startedAt = Date.now();
  const mail = await leaseMail(mailId, startedAt + leaseMilliseconds);
  if (!mail) return;
  let isTried = true;
  try {
    isTried = await sendLeasedMail(mail, printTickets);
  } catch (error) {
    if (!(error instanceof MailTransitionRefused)) throw error;
  }
  if (!isTried) return;
  const pace = Number(optionalSetting('MAIL_PACE_MILLISECONDS') ?? 0);
  await wait(Math.max(0, startedAt + pace - Date.now()));
}

/** @returns false when the mail is obsolete, or has to wait for a daily limit */
async function sendLeasedMail(mail: Mail, printTickets: PrintTickets | undefined): Promise<boolean> {
  const { id, failures } = mail;
  let { isCounted } = mail;
  try {
    const message = await composeMessage(mail, printTickets);
    // An erased person has no address.
    if (!message?.to) {
      await writeMail(
        transitionMail(mail, transition(mailLifecycle, 'drop', { reason: 'obsolete' }), 'never'),
      );
      return false;
    }
    if (!isCounted) {
      await countMail(mail.content, message.to, mail.userId);
      isCounted = true;
    }
    const raw = await toMime(message, requiredSetting('MAIL_FROM'));
    await sendRawMail(message.to, raw, { mailId: id, requestedAt: `${Date.parse(mail.requestedAt)}` });
  } catch (error) {
    if (error instanceof DailyMailLimitReached) {
      await waitForDailyLimit(mail, error.retryAfterSeconds);
      return false;
    }
    log.warn('Mail not sent', { mailId: id, failures, cause: (error as Error).name });
    await (error instanceof MailRefused ? giveUp(mail, 'rejected') : postpone({ ...mail, isCounted }));
    return true;
  }
  await writeMail(transitionMail(mail, transition(mailLifecycle, 'send'), 'never'));
  log.info('Mail sent', { mailId: id });
  incrementCounter('MailsSent');
  return true;
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

/**
 * Composes a mail from the current state of the table.
 * @returns undefined when the mail is obsolete
 */
async function composeMessage(
  { content, eventId = '' }: Mail,
  printTickets: PrintTickets | undefined,
): Promise<Message | undefined> {
  switch (content.kind) {
    case 'password-reset':
    case 'address-confirmation':
    case 'email-change':
    case 'email-undo':
    case 'new-bank-account':
      return composeLinkMessage(content);
    case 'webhook-disabled':
      return composeEndpointMessage(content);
    case 'new-device':
      return composeDeviceMessage(content);
    case 'factors-changed':
      return composeFactorMessage(content);
    case 'wallet-linked':
      return composeWalletMessage(content);
    case 'payout-sent':
    case 'payout-failed':
      return composePayoutMessage(content);
    case 'staff-invited':
      return composeInvitationMessage(content);
    case 'received-ticket-changed':
      return composeHolderMessage(content);
    case 'ticket-offered':
      return composeOfferMessage(content);
    case 'ticket-received':
      return composeTicketMessage(content);
    case 'waiting-list-offered':
      return composeWaitingOffer(content);
    case 'waiting-list-ended':
      return composeWaitingEnd(content);
    case 'order-links':
      return composeOrderLinks(content);
    default:
      return composeOrderMessage(content, eventId, printTickets);
  }
}

/**
 * Limits mails. An account can have free tickets and offers mailed to anybody, with a title of its choice, so it could
 * send spam through the service.
 */
const dailyLimit = { maximum: 20, windowSeconds: 24 * 60 * 60, message: 'Too many mails today' };
/** Limits mails of an account to itself: all mails share the quota of the mail service. */
const ownLimit = { ...dailyLimit, maximum: 200 };

/** Thrown when an address, or the account that causes the mail, has reached the daily limit. */
export class DailyMailLimitReached extends Error {
  /** Seconds until the next mail may be sent. */
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super(dailyLimit.message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Counts a mail. One account can cause 20 mails a day, and one address can receive 20 a day that other accounts cause.
 * An account's own confirmed address receives 200 a day about free orders; other mails to it, also to the previous one, and links
 * to reset a password or to open orders are not counted, nor are mails that were put into the outbox as counted.
 * @param userId the account that causes the mail
 * @throws DailyMailLimitReached when the account or the address has reached its limit
 */
export async function countMail(content: MailContent, address: string, userId: string): Promise<void> {
  if (content.kind === 'password-reset' || content.kind === 'order-links') return;
  const normalizedAddress = address.trim().toLowerCase();
  const { user, previousAddress } = (await findSessionOwner(userId)) ?? {};
  const isOwnAddress = user?.email === normalizedAddress;
  if (previousAddress?.ownsAddress && previousAddress.email === normalizedAddress) return;
  const isOwnConfirmed = isOwnAddress && user.emailVerified;
  if (isOwnConfirmed && !('orderId' in content)) return;
  const addressKey = keys.attempts('MAIL_TO', hash(normalizedAddress));
  try {
    // A mail that the address can't receive today is not counted for the account.
    if (!isOwnAddress) await refuseAfterTooManyAttempts(addressKey, dailyLimit);
    if (isOwnConfirmed) return await countAttempt(keys.attempts('MAIL_OWN', userId), ownLimit);
    await countAttempt(keys.attempts('MAIL_FOR', userId), dailyLimit);
    if (!isOwnAddress) await countAttempt(addressKey, dailyLimit);
  } catch (error) {
    if (error instanceof DomainError && error.retryAfter) throw new DailyMailLimitReached(error.retryAfter);
    throw error;
  }
}

/** Hashes the address, so the counter does not store it in plain text. */
function hash(address: string): string {
  return createHash('sha256').update(address).digest('base64url');
}
