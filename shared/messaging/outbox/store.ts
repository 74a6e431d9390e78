import { expectUnchanged, type Transition, TransitionRefused, transition } from '../../core/state-machine.ts';
import { bulkDueAttributes, keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { put, toCondition, update, type Write, write } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { sendMessages } from '../../runtime/queue.ts';
import { log } from '../../runtime/telemetry.ts';
import { isLink, type Mail, type MailContent, mailId, mailLifecycle, toMail } from './mail.ts';

/** The mail has changed since it was read: another worker has leased it, or it was requested again. */
export class MailTransitionRefused extends TransitionRefused<Mail> {}

/** The mail does not wait to be sent, or may not be sent yet. */
class MailNotDue extends Error {}

/** The mail is in the outbox already, or was sent. */
export class MailExists extends Error {}

/** How long a mail is kept once it was sent or has failed, in seconds: RETENTION_DAYS, 90 by default. */
const retentionSeconds = () => Number(optionalSetting('RETENTION_DAYS') ?? 90) * 24 * 60 * 60;

/**
 * Puts a mail into the outbox. Write it in the transaction that causes the mail, so neither is written without the
 * other. The worker sends the mail within about a minute, or at once after `queueMails`. An existing mail of the same
 * id is sent again, so the transaction needs a condition that lets it succeed only once.
 * @param userId the user whom the mail concerns: the buyer, the organizer, or the account that requested it
 * @param options.eventId the event that the mail is about
 * @param options.isCounted whether the mail is not counted against the daily limits
 * @param options.dueAt when the sweep queues the mail (epoch milliseconds); by default at once
 * @returns no write while mail is not configured (MAIL_FROM)
 */
export function insertMail(content: MailContent, userId: string, options: MailOptions = {}): Write[] {
  return isMailConfigured() ? [put(newItem(content, userId, options))] : [];
}

/**
 * Like `insertMail`, for causes that may be repeated: an existing mail of the same id stays unchanged.
 * @throws MailExists from the write
 */
export function insertMailOnce(content: MailContent, userId: string, options: MailOptions = {}): Write[] {
  const whenNew = { when: 'attribute_not_exists(#pk)', orThrow: () => new MailExists() };
  return isMailConfigured() ? [put(newItem(content, userId, options), whenNew)] : [];
}

export function isMailConfigured(): boolean {
  return optionalSetting('MAIL_FROM') !== undefined;
}

interface MailOptions {
  eventId?: string;
  dueAt?: number;
  isCounted?: boolean;
}

function newItem(
  content: MailContent,
  userId: string,
  { eventId, dueAt: dueTime = Date.now(), isCounted = false }: MailOptions,
) {
  const id = mailId(content);
  const timestamp = new Date().toISOString();
  const mail: Mail = {
    id,
    content,
    userId,
    eventId,
    status: 'waiting',
    failures: 0,
    isCounted,
    requestedAt: timestamp,
    updatedAt: timestamp,
  };
  return { ...keys.mail(id), ...mail, ...bulkDueAttributes('MAIL', id, dueTime) };
}

export async function findMail(id: string): Promise<Mail | undefined> {
  const item = await getItem(keys.mail(id));
  return item && toMail(item);
}

/**
 * Returns the write of a mail's transition. It fails when the mail has changed since it was read.
 * @param nextDueAt when the sweep queues the mail (epoch milliseconds); unchanged when absent, `never` once the mail
 * was sent or has failed
 * @throws MailTransitionRefused from the write
 */
export function transitionMail(mail: Mail, change: Transition<Mail>, nextDueAt?: number | 'never'): Write {
  const now = Date.now();
  const endedFields = {
    duePk: undefined,
    dueAt: undefined,
    ttl: Math.floor(now / 1000) + retentionSeconds(),
  };
  const dueFields =
    nextDueAt === undefined
      ? {}
      : nextDueAt === 'never'
        ? endedFields
        : bulkDueAttributes('MAIL', mail.id, nextDueAt);
  const set = { ...change.set, updatedAt: new Date(now).toISOString(), ...dueFields };
  return update(
    keys.mail(mail.id),
    { set },
    {
      ...toCondition([change], expectUnchanged(mail, 'notBefore', 'requestedAt')),
      orThrow: (item) => new MailTransitionRefused(`Mail ${mail.id} has changed`, item ? toMail(item) : mail),
    },
  );
}

/**
 * Leases a mail that is due to be sent, so no other worker sends it.
 * @param until when the lease ends, epoch milliseconds
 * @returns undefined when the mail does not wait, or may not be sent yet
 */
export async function leaseMail(id: string, until: number): Promise<Mail | undefined> {
  const now = new Date().toISOString();
  const lease = transition(mailLifecycle, 'lease', { notBefore: new Date(until).toISOString() });
  const { when, values } = toCondition([lease]);
  const isDue = '(attribute_not_exists(#notBefore) OR #notBefore <= :now)';
  const condition = {
    when: `${when} AND ${isDue}`,
    values: { ...values, now },
    orThrow: () => new MailNotDue(),
  };
  try {
    return await writeMail(update(keys.mail(id), { set: { ...lease.set, updatedAt: now } }, condition));
  } catch (error) {
    if (error instanceof MailNotDue) return undefined;
    throw error;
  }
}

/**
 * Writes a transition outside a transaction.
 * @returns the changed mail
 * @throws the error of the write's condition, when the condition fails
 */
export async function writeMail(change: Write): Promise<Mail> {
  return toMail(await write(change));
}

/**
 * Queues mails of the outbox, so they are sent at once. An error of the queue is only logged: the sweep
 * queues the mails again.
 * @param mails with the event that each is about, if any. The queue is fair between events, and between the other mails' users
 */
export async function queueMails(
  mails: readonly { content: MailContent; eventId?: string }[],
): Promise<void> {
  if (mails.length === 0 || !optionalSetting('MAIL_FROM')) return;
  try {
    await sendMessages(
      'send-links',
      // The confirmations that a rush of new accounts causes don't delay links for forgotten passwords.
      mails
        .filter(({ content }) => isLink(content))
        .map(({ content }) => ({
          message: { type: 'send-link', mailId: mailId(content) },
          tenant: content.kind,
        })),
    );
    await sendMessages(
      'send-mail',
      mails
        .filter(({ content }) => !isLink(content))
        .map(({ content, eventId }) => ({
          message: { type: 'send-mail', mailId: mailId(content) },
          tenant: eventId ?? ('userId' in content ? content.userId : mailId(content)),
        })),
    );
  } catch (error) {
    log.error('Mails could not be queued', error, { mails: mails.length });
  }
}
