import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';

/** What webhooks report. */
export const occurrenceTypes = [
  'order.completed',
  'order.refunded',
  'order.failed',
  'ticket.minted',
  'ticket.transferred',
  'ticket.checked_in',
  'event.updated',
  'event.cancelled',
  'waiting_list.offered',
  'payout.completed',
  'payout.failed',
] as const;
export type OccurrenceType = (typeof occurrenceTypes)[number];

/** Returns whether an occurrence is about the organizer's money, which API keys do not reach. */
export const isAboutPayouts = (type: string) => type.startsWith('payout.');

/** The format of bodies. A change that could break a receiver gets a new version, for endpoints created from then on. */
export const apiVersion = '2026-11-01';
export const maximumEndpoints = 10;
/** How long occurrences and deliveries are kept. */
export const retentionSeconds = 30 * 24 * 60 * 60;

/** A stored endpoint of an organizer. Times are ISO 8601 in UTC. */
const webhookEndpoint = z.object({
  id: z.string(),
  organizerId: z.string(),
  url: z.string(),
  types: z.array(z.enum(occurrenceTypes)),
  /** The events that it is limited to; absent for all. */
  eventIds: z.array(z.string()).optional(),
  description: z.string(),
  expand: z.boolean(),
  apiVersion: z.string(),
  /** The secrets that sign. The first is the current one, the other is valid until its end. */
  secrets: z.array(z.object({ secret: z.string(), validUntil: z.string().optional() })),
  status: z.enum(['enabled', 'disabled']),
  /** `gone`: it answered 410. `failing`: all attempts failed for five days. `organizer`: switched off. */
  disabledReason: z.enum(['gone', 'failing', 'organizer']).optional(),
  /** The failed attempts since the last success, and the time of the first. */
  failures: z.number().default(0),
  failingSince: z.string().optional(),
  /** Nothing is sent before this time, because the last attempts failed. */
  pausedUntil: z.string().optional(),
  /** It has been slow: until this time, few attempts are made at the same time. */
  slowUntil: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

export function toWebhookEndpoint(item: unknown): WebhookEndpoint {
  return webhookEndpoint.parse(item);
}

/** Something that happened, as it is stored with the change that it reports. */
const occurrence = z.object({
  id: z.string(),
  organizerId: z.string(),
  eventId: z.string().optional(),
  type: z.enum(occurrenceTypes),
  /** ISO 8601 in UTC. */
  timestamp: z.string(),
  /** JSON: ids, amounts and states. */
  data: z.string(),
  /** JSON: the view that expanded messages add; absent without an endpoint that wants it. */
  view: z.string().optional(),
  /** The endpoints that wanted it when it happened. */
  endpointIds: z.array(z.string()),
});
export type Occurrence = z.infer<typeof occurrence>;

export function toOccurrence(item: unknown): Occurrence {
  return occurrence.parse(item);
}

/** Something that happens with a change of an organizer's data. */
export interface NewOccurrence {
  type: OccurrenceType;
  eventId?: string;
  /** When it changed, ISO 8601 in UTC. */
  timestamp: string;
  /** Ids, amounts and states. `version` is added, by which receivers drop old news. */
  data: Record<string, unknown>;
  /** What expanded messages add. That of an order has personal data: see `eraseViews`. */
  view?: () => Record<string, unknown>;
}

/** A message to one endpoint. Times are ISO 8601 in UTC. */
const delivery = z.object({
  /** The `webhook-id`: the id of its occurrence. */
  id: z.string(),
  endpointId: z.string(),
  organizerId: z.string(),
  type: z.string(),
  /** The exact body of all attempts. */
  body: z.string(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.number(),
  /** Whether it has waited for a slot of a slow endpoint. */
  hasWaited: z.boolean().optional(),
  /** No worker sends it before this time. */
  notBefore: z.string(),
  statusCode: z.number().optional(),
  /** The first 1,000 characters of the last answer, or why there was none. */
  answer: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Delivery = z.infer<typeof delivery>;

export function toDelivery(item: unknown): Delivery {
  return delivery.parse(item);
}

/** Creates a secret as the Standard Webhooks specification writes it. */
export const newWebhookSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

/** Returns the headers of an attempt by the Standard Webhooks specification, signed with each valid secret. */
export function signedHeaders(
  { secrets }: Pick<WebhookEndpoint, 'secrets'>,
  { id, body }: Pick<Delivery, 'id' | 'body'>,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const valid = secrets.filter(({ validUntil }) => validUntil === undefined || Date.parse(validUntil) > now);
  const signatures = valid.map(({ secret }) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** Returns the exact body of an occurrence for an endpoint. */
export function bodyOf(
  { type, timestamp, data, view }: Occurrence,
  { expand }: Pick<WebhookEndpoint, 'expand'>,
): string {
  const parsed = JSON.parse(data);
  return JSON.stringify({
    type,
    timestamp,
    data: expand && view ? { ...parsed, ...JSON.parse(view) } : parsed,
  });
}

/** The pauses before the attempts after the first, in seconds. */
const pauses = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600];

/** Returns the pause after a number of failed attempts, in milliseconds, with jitter; undefined after the last. */
export function pauseAfter(attempts: number, factor: number, random = Math.random()): number | undefined {
  const seconds = pauses[attempts - 1];
  return seconds === undefined ? undefined : seconds * 1000 * factor * (1 + random / 10);
}

/** The time without an answer after which an endpoint is slow, and how long it then counts as slow. */
export const slowAfterMilliseconds = 1_000;
export const slowForMilliseconds = 15 * 60_000;
/**
 * The attempts to slow endpoints of one organizer at the same time. Each occupies an execution of the worker, of which there
 * are 20, so those beyond the first of each organizer share a few.
 */
export const maximumSlowAttempts = 5;
export const sharedSlowAttempts = 5;

/** The failures in a row after which an endpoint is paused. */
const failuresUntilPause = 5;
const longestPauseMilliseconds = 60_000;
const fiveDaysMilliseconds = 5 * 24 * 60 * 60 * 1000;

/** Returns how long an endpoint is paused after failures in a row, in milliseconds; 0 for not at all. */
export function endpointPause(failures: number): number {
  if (failures < failuresUntilPause) return 0;
  return Math.min(longestPauseMilliseconds, 1000 * 2 ** (failures - failuresUntilPause));
}

/** Returns whether an endpoint has failed for so long that it is disabled. */
export function hasFailedTooLong(
  { failingSince }: Pick<WebhookEndpoint, 'failingSince'>,
  now: number,
): boolean {
  return failingSince !== undefined && now - Date.parse(failingSince) > fiveDaysMilliseconds;
}

/** Returns whether an endpoint gets such a message. What happens while it is down is kept: it can be pulled, and sent again. */
export const wants = (
  { disabledReason, types, eventIds }: Pick<WebhookEndpoint, 'disabledReason' | 'types' | 'eventIds'>,
  { type, eventId }: { type: OccurrenceType; eventId?: string | undefined },
): boolean =>
  disabledReason !== 'organizer' &&
  types.includes(type) &&
  (eventIds === undefined || (eventId !== undefined && eventIds.includes(eventId)));
