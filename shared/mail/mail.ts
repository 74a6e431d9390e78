import * as z from 'zod';
import { machineOver } from '../core/state-machine.ts';

/** `waiting` is sent as soon as the mail server takes it. `dropped` had nothing to say any more. */
export const mailStatuses = ['waiting', 'sent', 'failed', 'dropped'] as const;

/** The subject of a link that proves who owns an address; see token.ts. */
const link = {
  userId: z.string(),
  /** A new id for each request. */
  requestId: z.string(),
  tokenHash: z.string(),
  /** ISO 8601 in UTC. Afterwards the link no longer works, and the mail is not sent. */
  expiresAt: z.string(),
};

/**
 * What each kind of mail is about. Only ids: the text is written when the mail is sent, from what the table holds then,
 * so that neither codes nor addresses are stored a second time.
 */
const content = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['order-paid', 'payment-too-late', 'order-refunded', 'event-cancelled']),
    orderId: z.string(),
  }),
  /** `movedAt` is when the event's date or venue changed, ISO 8601 in UTC. */
  z.object({ kind: z.literal('event-moved'), orderId: z.string(), movedAt: z.string() }),
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

/** The mails that go to the address a buyer gave, which may be somebody else's. */
export function isToCustomer(content: MailContent): boolean {
  return 'orderId' in content;
}

/** Why a mail was not sent. `rejected`: the mail service refuses it for good. `given-up`: no success for three days. */
export const mailReasons = ['rejected', 'given-up', 'obsolete'] as const;

/** A mail in the outbox. Times are ISO 8601 in UTC. */
const mail = z.object({
  id: z.string(),
  content,
  /** Whom it concerns: the buyer, the organizer, or the account that asked for it. */
  userId: z.string(),
  /** The event it is about; mails of events take turns, so that one event does not hold up the others. */
  eventId: z.string().optional(),
  status: z.enum(mailStatuses),
  reason: z.enum(mailReasons).optional(),
  /** Attempts to send it that did not succeed. */
  failures: z.number(),
  /** No worker sends it before: another one has it, or the mail service has to recover. */
  notBefore: z.string().optional(),
  /** When it was asked for; a mail that is asked for again is sent again. */
  requestedAt: z.string(),
  updatedAt: z.string(),
});
export type Mail = z.infer<typeof mail>;

/** Reads a stored item as a mail. @throws ZodError for an item that is none */
export function toMail(item: unknown): Mail {
  return mail.parse(item);
}

export const mailLifecycle = machineOver<Mail>()('status', mailStatuses, [
  { from: 'waiting', event: 'lease', to: 'waiting', sets: ['notBefore'] },
  { from: 'waiting', event: 'postpone', to: 'waiting', sets: ['notBefore', 'failures'] },
  { from: 'waiting', event: 'send', to: 'sent', clears: ['notBefore'] },
  { from: 'waiting', event: 'giveUp', to: 'failed', sets: ['reason'], clears: ['notBefore'] },
  { from: 'waiting', event: 'drop', to: 'dropped', sets: ['reason'], clears: ['notBefore'] },
]);

/** The id of a mail: its kind and what it is about, so that one cause makes one mail. */
export function mailId(content: MailContent): string {
  return `${content.kind}-${subjectOf(content)}`;
}

function subjectOf(content: MailContent): string {
  if ('requestId' in content) return content.requestId;
  if ('payoutId' in content) return content.payoutId;
  if ('offeredAt' in content) return `${content.orderId}-${content.number}-${Date.parse(content.offeredAt)}`;
  return 'movedAt' in content ? `${content.orderId}-${Date.parse(content.movedAt)}` : content.orderId;
}
