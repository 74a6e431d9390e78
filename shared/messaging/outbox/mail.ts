import * as z from 'zod';
import { time } from '../../core/schemas.ts';
import { defineMachine } from '../../core/state-machine.ts';

/** `waiting`: the mail is still to be sent. `dropped`: the mail became obsolete before it was sent. */
export const mailStatuses = ['waiting', 'sent', 'failed', 'dropped'] as const;

/** The fields of a mail with a link that proves who owns an address; see token.ts. */
const linkFields = {
  userId: z.string(),
  /** A new id for each request. */
  requestId: z.string(),
  tokenHash: z.string(),
  /** ISO 8601 in UTC. After this time the link no longer works, and the mail is not sent. */
  expiresAt: z.string(),
};

export const factorChanges = [
  'passkey-added',
  'passkey-removed',
  'totp-added',
  'totp-removed',
  'key-added',
  'endpoint-added',
  'manager-added',
  'tickets-reissued',
  'wallet-entered',
  'order-wallet-entered',
  'recent-removed',
  'reset',
] as const;
export type FactorChange = (typeof factorChanges)[number];

/**
 * What each kind of mail is about, by ids only. The text is composed from the table when the mail is sent, so that
 * check-in codes and addresses are not stored twice.
 */
const content = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['order-paid', 'payment-too-late', 'event-cancelled']),
    orderId: z.string(),
  }),
  /** `number` is that of a partial refund, from 1 on; absent for the refund of all that was left. */
  z.object({ kind: z.literal('order-refunded'), orderId: z.string(), number: z.number().optional() }),
  /** `rescheduledAt` is when the event's date or venue changed, ISO 8601 in UTC. */
  z.object({ kind: z.literal('event-rescheduled'), orderId: z.string(), rescheduledAt: z.string() }),
  /** To the holder of a transferred seat, when the event was moved or cancelled at `changedAt`, ISO 8601 in UTC. */
  z.object({
    kind: z.literal('received-ticket-changed'),
    orderId: z.string(),
    holderUserId: z.string(),
    changedAt: z.string(),
  }),
  /** To the address that a seat is offered to. `offeredAt` identifies the offer, ISO 8601 in UTC. */
  z.object({
    kind: z.literal('ticket-offered'),
    orderId: z.string(),
    number: z.number(),
    offeredAt: z.string(),
  }),
  /** To the holder of a transferred seat. `transfers` is their number, with this one. */
  z.object({
    kind: z.literal('ticket-received'),
    orderId: z.string(),
    number: z.number(),
    transfers: z.number(),
  }),
  /** To somebody on a waiting list: an offer, or that the entry has ended. */
  z.object({
    kind: z.literal('waiting-list-offered'),
    userId: z.string(),
    eventId: z.string(),
    tierId: z.string(),
    entryId: z.string(),
    offerId: z.string(),
  }),
  z.object({
    kind: z.literal('waiting-list-ended'),
    userId: z.string(),
    eventId: z.string(),
    tierId: z.string(),
    entryId: z.string(),
  }),
  /** Listed seats that nobody on the waiting list has bought. `numbers` are theirs, `endedAt` is ISO 8601 in UTC. */
  z.object({
    kind: z.literal('listing-ended'),
    orderId: z.string(),
    numbers: z.array(z.number()),
    endedAt: z.string(),
  }),
  z.object({ kind: z.enum(['payout-sent', 'payout-failed']), payoutId: z.string() }),
  /** To an address on an event's staff that no account has confirmed. `invitedAt` is ISO 8601 in UTC. */
  z.object({
    kind: z.literal('staff-invited'),
    eventId: z.string(),
    emailHash: z.string(),
    invitedAt: z.string(),
  }),
  /** To the organizer of a webhook endpoint that was disabled at `disabledAt`, ISO 8601 in UTC. */
  z.object({
    kind: z.literal('webhook-disabled'),
    organizerId: z.string(),
    endpointId: z.string(),
    disabledAt: z.string(),
  }),
  /** A login from a device that the user had not used before. `loggedInAt` is ISO 8601 in UTC. */
  z.object({
    kind: z.literal('new-device'),
    userId: z.string(),
    sessionId: z.string(),
    device: z.string(),
    place: z.string().optional(),
    loggedInAt: z.string(),
  }),
  /** The passkeys, the authenticator app or the API keys of an account have changed. `changedAt` is ISO 8601 in UTC. */
  z.object({
    kind: z.literal('factors-changed'),
    userId: z.string(),
    change: z.enum(factorChanges),
    changedAt: z.string(),
  }),
  /** `linkedAt` is ISO 8601 in UTC. */
  z.object({
    kind: z.literal('wallet-linked'),
    userId: z.string(),
    walletAddress: z.string(),
    linkedAt: z.string(),
  }),
  z.object({
    kind: z.enum([
      'password-reset',
      'address-confirmation',
      'email-change',
      'email-undo',
      'new-bank-account',
    ]),
    ...linkFields,
  }),
  /** To the address of a guest: the links to the guest's orders. `requestId` is a new id for each request. */
  z.object({ kind: z.literal('order-links'), userId: z.string(), requestId: z.string() }),
]);
export type MailContent = z.infer<typeof content>;
export type MailKind = MailContent['kind'];
export type LinkKind = Extract<MailContent, { tokenHash: string }>['kind'];

/**
 * Why a mail did not arrive. `rejected`: the mail service refused it permanently. `given-up`: all attempts failed for
 * three days. `bounced`: the recipient's server refused it after it was sent. `complained`: it arrived, and its
 * recipient reported it as unwanted.
 */
export const mailReasons = ['rejected', 'given-up', 'obsolete', 'bounced', 'complained'] as const;

/** A mail in the outbox. Times are ISO 8601 in UTC. */
const mail = z.object({
  id: z.string(),
  content,
  /** The user whom the mail concerns: the buyer, the organizer, or the account that requested it. */
  userId: z.string(),
  /**
   * The event that the mail is about. The queue is fair between events, so one event does not delay the mails of
   * others.
   */
  eventId: z.string().optional(),
  status: z.enum(mailStatuses),
  reason: z.enum(mailReasons).optional(),
  /** The number of failed attempts. */
  failures: z.number(),
  /**
   * Whether the mail was counted against the daily limits (send-mail.ts), or need not be. Its further attempts are not
   * counted.
   */
  isCounted: z.boolean().default(false),
  /** No worker sends the mail before this time: another worker has leased it, or an attempt failed. */
  notBefore: z.string().optional(),
  /** When the mail was last requested. A mail that is requested again is sent again. */
  requestedAt: z.string(),
  updatedAt: z.string(),
});
export type Mail = z.infer<typeof mail>;

export function toMail(item: unknown): Mail {
  return mail.parse(item);
}

export const mailLifecycle = defineMachine<Mail>()('status', mailStatuses, [
  { from: 'waiting', event: 'lease', to: 'waiting', sets: ['notBefore'] },
  { from: 'waiting', event: 'postpone', to: 'waiting', sets: ['notBefore', 'failures', 'isCounted'] },
  { from: 'waiting', event: 'send', to: 'sent', clears: ['notBefore'] },
  { from: 'waiting', event: 'giveUp', to: 'failed', sets: ['reason'], clears: ['notBefore'] },
  { from: 'waiting', event: 'drop', to: 'dropped', sets: ['reason'], clears: ['notBefore'] },
  // SES's report can arrive before the worker has marked the mail as sent.
  { from: ['waiting', 'sent'], event: 'bounce', to: 'failed', sets: ['reason'], clears: ['notBefore'] },
  { from: 'sent', event: 'complain', to: 'sent', sets: ['reason'] },
]);

/** Returns whether a mail has a link that somebody waits for. Such mails have a queue of their own. */
export function isLink(content: MailContent): boolean {
  return 'requestId' in content;
}

/** Returns the id of a mail, derived from its content, so the outbox holds at most one mail with that content. */
export function mailId(content: MailContent): string {
  return `${content.kind}-${contentId(content)}`;
}

function contentId(content: MailContent): string {
  if ('requestId' in content) return content.requestId;
  if ('payoutId' in content) return content.payoutId;
  if ('offerId' in content) return content.offerId;
  if ('entryId' in content) return content.entryId;
  if ('invitedAt' in content)
    return `${content.eventId}-${content.emailHash}-${Date.parse(content.invitedAt)}`;
  if ('disabledAt' in content) return `${content.endpointId}-${Date.parse(content.disabledAt)}`;
  if ('sessionId' in content) return content.sessionId;
  if ('change' in content) return `${content.userId}-${content.change}-${Date.parse(content.changedAt)}`;
  if ('linkedAt' in content) return `${content.userId}-${Date.parse(content.linkedAt)}`;
  if ('offeredAt' in content) return `${content.orderId}-${content.number}-${Date.parse(content.offeredAt)}`;
  if ('endedAt' in content) return `${content.orderId}-${Date.parse(content.endedAt)}`;
  if ('transfers' in content) return `${content.orderId}-${content.number}-${content.transfers}`;
  if ('changedAt' in content)
    return `${content.orderId}-${content.holderUserId}-${Date.parse(content.changedAt)}`;
  return 'rescheduledAt' in content
    ? `${content.orderId}-${Date.parse(content.rescheduledAt)}`
    : content.orderId;
}

/** A mail as the API shows it to the user whom it concerns. */
export const mailView = z
  .object({
    status: z.enum(mailStatuses).meta({ description: '`waiting` is tried again for three days' }),
    reason: z.enum(mailReasons).nullable().meta({ description: 'Why it was not sent, or did not arrive' }),
    updatedAt: time,
  })
  .meta({ id: 'Mail' });

export function toMailView({ status, reason, updatedAt }: Mail): z.infer<typeof mailView> {
  return { status, reason: reason ?? null, updatedAt };
}
