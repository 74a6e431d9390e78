import { optionalSetting } from '../../runtime/config.ts';
import type { Messages } from '../../runtime/messages.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { log } from '../../runtime/telemetry.ts';
import { type PostResult, postToEndpoint } from './address.ts';
import {
  announceOccurrence,
  changeEndpoint,
  countFailure,
  disableEndpoint,
  findEndpoint,
  leaseDelivery,
  leaseSlow,
  markSlow,
  pauseEndpoint,
  queueDeliveries,
  recordAttempt,
} from './store.ts';
import {
  type Delivery,
  endpointPause,
  hasFailedTooLong,
  pauseAfter,
  signedHeaders,
  slowAfterMilliseconds,
  type WebhookEndpoint,
} from './webhook.ts';

/** Longer than an attempt takes. */
const leaseMilliseconds = 60_000;
/** The longest delay of a message; the sweep queues what waits longer. */
const maximumDelayMilliseconds = 900_000;

/** The longest wait for a slot of a slow endpoint. What then gets none is parked, so that many do not keep the worker busy. */
const longestSlotWait = 10_000;

const pauseFactor = () => Number(optionalSetting('WEBHOOK_PAUSE_FACTOR') ?? 1);

/** Announces an occurrence, or makes an attempt of a delivery. */
export function handleWebhookMessage(message: Messages['deliver-webhooks']): Promise<void> {
  return message.type === 'announce-occurrence'
    ? announceOccurrence(message.organizerId, message.occurrenceId)
    : deliver(message.organizerId, message.endpointId, message.deliveryId);
}

/**
 * Makes one attempt of a delivery in three steps: lease, send, record. After a crash before the last step, the message is
 * sent again under the same `webhook-id`.
 */
async function deliver(organizerId: string, endpointId: string, deliveryId: string): Promise<void> {
  const now = Date.now();
  const delivery = await leaseDelivery(endpointId, deliveryId, now + leaseMilliseconds);
  if (!delivery) return;
  const endpoint = await findEndpoint(organizerId, endpointId);
  if (endpoint?.status !== 'enabled') {
    const answer = endpoint ? 'The endpoint is disabled' : 'The endpoint was deleted';
    await recordAttempt(delivery, { status: 'failed', answer });
    return;
  }
  const pausedUntil = endpoint.pausedUntil ? Date.parse(endpoint.pausedUntil) : 0;
  if (pausedUntil > now) {
    // Any number of deliveries may wait for the endpoint. The sweep queues some of them at a time.
    await recordAttempt(delivery, { nextAttemptAt: pausedUntil, isParked: true });
    return;
  }
  const isSlow = endpoint.slowUntil !== undefined && Date.parse(endpoint.slowUntil) > now;
  const endSlot = isSlow ? await leaseSlow(organizerId, now + leaseMilliseconds) : undefined;
  if (isSlow && !endSlot) {
    // Any number may wait for slots, too.
    if (delivery.hasWaited) {
      await recordAttempt(delivery, { nextAttemptAt: now, isParked: true, hasWaited: undefined });
      return;
    }
    return postpone(delivery, now + Math.random() * longestSlotWait, { hasWaited: true });
  }
  const result = await attempt(endpoint, delivery, now);
  await endSlot?.();
  const { statusCode = 0 } = result;
  log.info('Webhook sent', { endpointId, deliveryId, statusCode });
  if (statusCode >= 200 && statusCode < 300) return recordSuccess(endpoint, delivery, result);
  return recordFailure(endpoint, delivery, result);
}

/** Sends a message. While it waits, it stores that the endpoint is slow, so that other attempts know. */
async function attempt(endpoint: WebhookEndpoint, delivery: Delivery, now: number): Promise<PostResult> {
  const body = endpoint.expand ? delivery.body : withoutOrder(delivery.body);
  const headers = {
    ...signedHeaders(endpoint, { id: delivery.id, body }, now),
    'boxoffice-api-version': endpoint.apiVersion,
  };
  const timeoutMilliseconds = Number(optionalSetting('WEBHOOK_TIMEOUT_SECONDS') ?? 10) * 1000;
  let marked: Promise<void> | undefined;
  const timer = setTimeout(() => {
    marked = markSlow(endpoint).catch((error) => log.error('Slow endpoint could not be marked', error));
  }, slowAfterMilliseconds);
  const result = await postToEndpoint(endpoint.url, body, headers, { timeoutMilliseconds });
  clearTimeout(timer);
  await marked;
  return result;
}

/** A message may have waited since its endpoint got whole orders. */
function withoutOrder(body: string): string {
  const { data, ...message } = JSON.parse(body);
  const { order, ...rest } = data;
  return order === undefined ? body : JSON.stringify({ ...message, data: rest });
}

async function postpone(
  delivery: Delivery,
  nextAttemptAt: number,
  outcome: Partial<Delivery> = {},
): Promise<void> {
  const delay = nextAttemptAt - Date.now();
  const isQueued = delay <= maximumDelayMilliseconds;
  // A late message is not sent twice.
  const dueAt = nextAttemptAt + (isQueued ? outboxDelayMilliseconds : 0);
  const changed = await recordAttempt(delivery, { ...outcome, nextAttemptAt, dueAt });
  if (changed && isQueued) {
    await queueDeliveries([changed], Math.max(0, Math.ceil(delay / 1000)));
  }
}

async function recordSuccess(
  endpoint: WebhookEndpoint,
  delivery: Delivery,
  result: PostResult,
): Promise<void> {
  await recordAttempt(delivery, { ...result, attempts: delivery.attempts + 1, status: 'delivered' });
  if (endpoint.failures > 0) {
    await changeEndpoint(endpoint, { failures: 0, failingSince: undefined, pausedUntil: undefined });
  }
}

async function recordFailure(
  endpoint: WebhookEndpoint,
  delivery: Delivery,
  result: PostResult,
): Promise<void> {
  const attempts = delivery.attempts + 1;
  const pause = pauseAfter(attempts, pauseFactor());
  if (pause === undefined) await recordAttempt(delivery, { ...result, attempts, status: 'failed' });
  else await postpone(delivery, Date.now() + pause, { ...result, attempts });
  const now = Date.now();
  const failing = await countFailure(endpoint);
  if (result.statusCode === 410) await disableEndpoint(endpoint, 'gone');
  else if (hasFailedTooLong(failing, now)) await disableEndpoint(endpoint, 'failing');
  else {
    const rest = endpointPause(failing.failures) * pauseFactor();
    if (rest > 0) await pauseEndpoint(endpoint, now + rest);
  }
}
