import * as z from 'zod';
import { defineMachine } from '../core/state-machine.ts';

/**
 * `waiting`: the mail is sent as soon as the mail service accepts it. `dropped`: the mail became obsolete before it was
 * sent.
 */
export const mailStatuses = ['waiting', 'sent', 'failed', 'dropped'] as const;

/** The subject of a link that proves who owns an address; see token.ts. */
const link = {
  userId: z.string(),
  /** A new id for each request. */
  requestId: z.string(),
  tokenHash: z.string(),
  /** ISO 8601 in UTC. After this time the link no longer works, and the mail is not sent. */
  expiresAt: z.string(),
};

/**
 * The subject of each kind of mail, by ids only. The text is composed from the table when the mail is sent, so that
 * check-in codes and addresses are not stored twice.
 */
const content = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['order-paid', 'payment-too-late', 'order-refunded', 'event-cancelled']),
    orderId: z.string(),
  }),
  /** `movedAt` is when the event's date or venue changed, ISO 8601 in UTC. */
  z.object({ kind: z.literal('event-moved'), orderId: z.string(), movedAt: z.string() }),
  /** For the holder of a transferred seat: the event moved, or was cancelled. `changedAt` is when, ISO 8601 in UTC. */
  z.object({
    kind: z.literal('received-ticket-changed'),
    orderId: z.string(),
    holderUserId: z.string(),
    changedAt: z.string(),
  }),
  /** `offeredAt` names the offer of the seat, ISO 8601 in UTC. It goes to the address that the seat is offered to. */
  z.object({
    kind: z.literal('ticket-offered'),
    orderId: z.string(),
    number: z.number(),
    offeredAt: z.string(),
  }),
  z.object({ kind: z.enum(['payout-sent', 'payout-failed']), payoutId: z.string() }),
  z.object({ kind: z.enum(['password-reset', 'address-confirmation']), ...link }),
]);
export type MailContent = z.infer<typeof content>;
export type MailKind = MailContent['kind'];
export type LinkKind = Extract<MailContent, { requestId: string }>['kind'];

/** Returns whether a mail goes to the address that a buyer entered, which may be another person's. */
export function isToCustomer(content: MailContent): boolean {
  return 'orderId' in content;
}

/**
 * Why a mail was not sent. `rejected`: the mail service refused it permanently. `given-up`: all attempts failed for
 * three days.
 */
export const mailReasons = ['rejected', 'given-up', 'obsolete'] as const;

/** A mail in the outbox. Times are ISO 8601 in UTC. */
const mail = z.object({
  id: z.string(),
  content,
  /** The user whom the mail concerns: the buyer, the organizer, or the account that requested it. */
  userId: z.string(),
  /**
   * The event that the mail is about. The queue is fair between events, so that one event does not delay the mails of
   * others.
   */
  eventId: z.string().optional(),
  status: z.enum(mailStatuses),
  reason: z.enum(mailReasons).optional(),
  /** The number of failed attempts. */
  failures: z.number(),
  /** No worker sends the mail before this time: another worker has leased it, or an attempt failed. */
  notBefore: z.string().optional(),
  /** When the mail was last requested. A mail that is requested again is sent again. */
  requestedAt: z.string(),
  updatedAt: z.string(),
});
export type Mail = z.infer<typeof mail>;

/** Reads a stored item as a mail. @throws ZodError when the item has another shape */
export function toMail(item: unknown): Mail {
  return mail.parse(item);
}

export const mailLifecycle = defineMachine<Mail>()('status', mailStatuses, [
  { from: 'waiting', event: 'lease', to: 'waiting', sets: ['notBefore'] },
  { from: 'waiting', event: 'postpone', to: 'waiting', sets: ['notBefore', 'failures'] },
  { from: 'waiting', event: 'send', to: 'sent', clears: ['notBefore'] },
  { from: 'waiting', event: 'giveUp', to: 'failed', sets: ['reason'], clears: ['notBefore'] },
  { from: 'waiting', event: 'drop', to: 'dropped', sets: ['reason'], clears: ['notBefore'] },
]);

/** Returns the id of a mail: its kind and its subject, so that one cause makes one mail. */
export function mailId(content: MailContent): string {
  return `${content.kind}-${mailSubjectId(content)}`;
}

function mailSubjectId(content: MailContent): string {
  if ('requestId' in content) return content.requestId;
  if ('payoutId' in content) return content.payoutId;
  if ('offeredAt' in content) return `${content.orderId}-${content.number}-${Date.parse(content.offeredAt)}`;
  if ('changedAt' in content)
    return `${content.orderId}-${content.holderUserId}-${Date.parse(content.changedAt)}`;
  return 'movedAt' in content ? `${content.orderId}-${Date.parse(content.movedAt)}` : content.orderId;
}
