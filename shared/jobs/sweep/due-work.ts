import * as z from 'zod';
import { toEventJob } from '../../catalog/event-jobs/event-job.ts';
import { toStoredPage } from '../../catalog/organizer-page/page.ts';
import { toQueueTask } from '../../catalog/queue/store.ts';
import { toOfferTask } from '../../catalog/waiting-list/entry.ts';
import { formatDueTime, type Key } from '../../dynamo/keys.ts';
import type { Item } from '../../dynamo/read.ts';
import { update, write } from '../../dynamo/write.ts';
import { isLink, toMail } from '../../messaging/outbox/mail.ts';
import { toDelivery, toOccurrence, toWebhookEndpoint } from '../../messaging/webhooks/webhook.ts';
import { toUpcomingEarnings } from '../../money/ledger/ledger.ts';
import { toPayout } from '../../money/payouts/payout.ts';
import { burnId, toBurn } from '../../nft/burning/store.ts';
import { tenantOfNonce } from '../../nft/nonce/store.ts';
import { type Order, tenantOf, toOrder } from '../../orders/order.ts';
import { holdGraceMilliseconds } from '../../orders/settlement/end-order.ts';
import { toErasure } from '../../privacy/erasure.ts';
import type { Message, Messages } from '../../runtime/messages.ts';
import { leaseEndsAt, type QuotaUse } from './quotas.ts';

type Queue = keyof Messages;

/** One due item: its quota, the message for its worker, and the write that postpones it. */
export interface DueWork extends QuotaUse {
  message: { [Name in Queue]: { queue: Name; body: Messages[Name] } }[Queue];
  /** The tenant of the message, for the queue's fair scheduling (runtime/queue.ts). */
  tenant: string;
  /** Delays the message until the item is due. */
  delaySeconds: number;
  /** Postpones the item, so that no other sweep queues it. @returns false when the item changed since it was read */
  claim(): Promise<boolean>;
}

/** How far a sweep looks ahead for holds, in milliseconds: until the next sweep, so a hold ends on time. */
export const lookAheadMilliseconds = 60_000;

const dueKey = z.object({ pk: z.string(), sk: z.string(), dueAt: z.string().optional() });
const refundTask = z.object({ orderId: z.string(), eventId: z.string(), gateway: z.string().optional() });
/** An event is large: an organizer's drafts are not validated whole. */
const dueEvent = z.object({ id: z.string(), organizerId: z.string() });
const dueListing = z.object({ orderId: z.string(), eventId: z.string() });
const dueNonce = z.object({
  chainId: z.number(),
  signer: z.string(),
  nonce: z.number(),
  contract: z.string(),
  burnOf: z.string().optional(),
});

/**
 * Converts an item of the index byDue to due work.
 * @param openProviders the providers whose circuit breaker is open
 * @returns undefined when the item is not due
 */
export function toDueWork(item: Item, now: number, openProviders: ReadonlySet<string>): DueWork | undefined {
  const { pk, sk, dueAt } = dueKey.parse(item);
  // The index is eventually consistent: the item's own due time decides.
  if (!dueAt || Date.parse(dueAt) > now + lookAheadMilliseconds) return undefined;
  const isDue = Date.parse(dueAt) <= now;
  /**
   * @param since when the item last changed, or its hold ended; undefined for the shortest lease
   */
  const createWork = (
    since: string | undefined,
    quotaUse: QuotaUse,
    message: DueWork['message'],
    tenant = quotaUse.owner,
  ) => {
    const startsAt = Math.max(now, Date.parse(dueAt));
    const leasedUntil = leaseEndsAt(
      quotaUse.kind,
      since === undefined ? startsAt : Date.parse(since),
      startsAt,
    );
    const claim = () => postponeDueItem({ pk, sk }, dueAt, leasedUntil);
    return {
      ...quotaUse,
      message,
      tenant,
      delaySeconds: Math.ceil((startsAt - now) / 1000),
      claim,
      leasedUntil,
    };
  };
  if (sk === 'ORDER') {
    const order = toOrder(item);
    if (!isDue && !isHoldRunning(order, now)) return undefined;
    const { quotaUse, since, message } = orderWork(order, now, openProviders);
    return createWork(since, quotaUse, message, tenantOf(order));
  }
  if (sk === 'QUEUE') {
    const { eventId, organizerId: owner } = toQueueTask(item);
    const message = { queue: 'run-event-jobs', body: { type: 'tend-queue', eventId } } as const;
    return createWork(undefined, { kind: 'queue', owner }, message);
  }
  if (!isDue) return undefined;
  if (sk === 'REFUND') {
    const { orderId, eventId, gateway } = refundTask.parse(item);
    const message = { queue: 'send-money', body: { type: 'send-refund', orderId } } as const;
    const tenant = tenantOf({ eventId });
    const quotaUse = {
      kind: 'refund',
      owner: tenant,
      ...(gateway && openProviders.has(gateway) && { failingProvider: gateway }),
    } as const;
    return createWork(undefined, quotaUse, message, tenant);
  }
  if (sk === 'EVENT') {
    const { id: eventId, organizerId: owner } = dueEvent.parse(item);
    const message = { queue: 'run-event-jobs', body: { type: 'check-contract', eventId } } as const;
    return createWork(undefined, { kind: 'eventJob', owner }, message);
  }
  if (sk === 'OFFERS') {
    const { eventId, organizerId: owner } = toOfferTask(item);
    const message = { queue: 'run-event-jobs', body: { type: 'offer-tickets', eventId } } as const;
    return createWork(undefined, { kind: 'offers', owner }, message);
  }
  if (sk.startsWith('LISTED#')) {
    const { orderId, eventId } = dueListing.parse(item);
    const message = { queue: 'run-event-jobs', body: { type: 'check-listings', eventId, orderId } } as const;
    return createWork(undefined, { kind: 'offers', owner: tenantOf({ eventId }) }, message);
  }
  if (sk.startsWith('JOB#')) {
    const { eventId, kind, organizerId: owner, updatedAt } = toEventJob(item);
    const message = { queue: 'run-event-jobs', body: { type: 'run-job', eventId, kind } } as const;
    return createWork(updatedAt, { kind: 'eventJob', owner }, message);
  }
  if (sk === 'ERASURE') {
    const { userId, updatedAt } = toErasure(item);
    const message = { queue: 'run-event-jobs', body: { type: 'erase-person', userId } } as const;
    return createWork(updatedAt, { kind: 'eventJob', owner: userId }, message);
  }
  if (sk === 'PAGE') {
    const { organizerId } = toStoredPage(item);
    const message = { queue: 'run-event-jobs', body: { type: 'copy-page', organizerId } } as const;
    return createWork(undefined, { kind: 'eventJob', owner: organizerId }, message);
  }
  if (sk === 'PAYOUT') {
    const { id: payoutId, organizerId: owner, gateway, updatedAt } = toPayout(item);
    const body: Message<'send-payout'> = { type: 'send-payout', payoutId };
    const quotaUse = {
      kind: 'payout',
      owner,
      ...(openProviders.has(gateway) && { failingProvider: gateway }),
    } as const;
    const work = createWork(updatedAt, quotaUse, { queue: 'send-money', body });
    // `claim` postpones the payout to this time. While this is its due time, the worker advances it without waiting.
    body.lease = new Date(work.leasedUntil).toISOString();
    return work;
  }
  if (sk.startsWith('UPCOMING#')) {
    const { organizerId, eventId, currency } = toUpcomingEarnings(item);
    const message = {
      queue: 'send-money',
      body: { type: 'unlock-earnings', organizerId, eventId, currency },
    } as const;
    return createWork(undefined, { kind: 'unlock', owner: organizerId }, message);
  }
  if (sk === 'MAIL') {
    const { id: mailId, content, userId, eventId: owner = userId, updatedAt } = toMail(item);
    const message = isLink(content)
      ? ({ queue: 'send-links', body: { type: 'send-link', mailId } } as const)
      : ({ queue: 'send-mail', body: { type: 'send-mail', mailId } } as const);
    return createWork(updatedAt, { kind: 'mail', owner }, message);
  }
  if (pk.startsWith('WEBHOOK#')) return webhookWork(item, { pk, sk }, createWork);
  if (sk === 'BURN') {
    const burn = toBurn(item);
    const message = { queue: 'mint-tickets', body: { type: 'burn', burnOrderId: burnId(burn) } } as const;
    return createWork(undefined, { kind: 'burn', owner: burn.tenant }, message);
  }
  if (sk.startsWith('NONCE#')) {
    const { contract, burnOf, ...nonce } = dueNonce.parse(item);
    const message = { queue: 'mint-tickets', body: { type: 'check-nonce', ...nonce } } as const;
    return createWork(undefined, { kind: 'mint', owner: tenantOfNonce({ contract, burnOf }) }, message);
  }
  return undefined;
}

/** Converts an item of webhooks: an endpoint that was disabled, another number of endpoints, an occurrence, or a delivery. */
function webhookWork(
  item: Item,
  { pk, sk }: Key,
  createWork: (since: undefined, use: QuotaUse, message: DueWork['message'], tenant?: string) => DueWork,
): DueWork {
  if (sk.startsWith('ENDPOINT#')) {
    const { organizerId, id: endpointId } = toWebhookEndpoint(item);
    const body = { type: 'report-endpoint', organizerId, endpointId } as const;
    const quotaUse = { kind: 'eventJob', owner: organizerId } as const;
    return createWork(undefined, quotaUse, { queue: 'run-event-jobs', body });
  }
  if (sk === 'USE') {
    const organizerId = pk.slice('WEBHOOK#'.length);
    const body = { type: 'mark-events', organizerId } as const;
    const quotaUse = { kind: 'eventJob', owner: organizerId } as const;
    return createWork(undefined, quotaUse, { queue: 'run-event-jobs', body });
  }
  if (pk.endsWith('#OCCURRENCES')) {
    const { organizerId, id: occurrenceId } = toOccurrence(item);
    const body = { type: 'announce-occurrence', organizerId, occurrenceId } as const;
    const quotaUse = { kind: 'webhook', owner: organizerId } as const;
    return createWork(undefined, quotaUse, { queue: 'deliver-webhooks', body });
  }
  const { organizerId, endpointId, id: deliveryId } = toDelivery(item);
  const body = { type: 'deliver', organizerId, endpointId, deliveryId } as const;
  const quotaUse = { kind: 'webhook', owner: endpointId } as const;
  return createWork(undefined, quotaUse, { queue: 'deliver-webhooks', body });
}

/**
 * Returns whether an order's hold has not ended. Only such orders are queued ahead of their due time: after the hold an
 * order waits for the gateway.
 */
const isHoldRunning = ({ paymentStatus, cryptoTxHash, expiresAt }: Order, now: number) =>
  paymentStatus === 'PENDING' && !cryptoTxHash && Date.parse(expiresAt) > now;

function orderWork(order: Order, now: number, openProviders: ReadonlySet<string>) {
  const { id: orderId, eventId, userId, gateway, updatedAt } = order;
  const tenant = tenantOf(order);
  const isBlocked = gateway !== undefined && openProviders.has(gateway);
  const failingProvider = isBlocked ? { failingProvider: gateway } : {};
  if (order.paymentStatus !== 'COMPLETED') {
    const message = { queue: 'settle-orders', body: { type: 'settle-order', orderId } } as const;
    // An order whose hold is over blocks seats, however many its buyer has.
    const isHoldOver = order.paymentStatus === 'PENDING' && Date.parse(order.expiresAt) <= now;
    if (order.cryptoTxHash && !isHoldOver) {
      return { quotaUse: { kind: 'crypto', owner: userId }, since: updatedAt, message } as const;
    }
    // After the grace period the hold ends without the gateway's answer, so a failing provider does not block
    // seats.
    const isPastGracePeriod =
      order.paymentStatus === 'PENDING' && now >= Date.parse(order.expiresAt) + holdGraceMilliseconds;
    const quotaUse = {
      kind: 'hold',
      owner: `${gateway} ${tenant}`,
      ...(isPastGracePeriod ? {} : failingProvider),
    } as const;
    return { quotaUse, since: order.expiresAt, message };
  }
  if (order.isPosted && order.fulfilmentStatus === 'refund-due') {
    const message = { queue: 'send-money', body: { type: 'send-refund', orderId } } as const;
    const quotaUse = { kind: 'refund', owner: tenant, ...failingProvider } as const;
    return { quotaUse, since: order.refund?.dueAt ?? updatedAt, message };
  }
  if (order.isPosted) {
    const message = { queue: 'mint-tickets', body: { type: 'mint-order', orderId } } as const;
    return { quotaUse: { kind: 'mint', owner: tenant }, since: updatedAt, message } as const;
  }
  const message = {
    queue: 'fulfil-orders',
    body: { type: 'fulfil-order', orderId, eventId, userId },
  } as const;
  return {
    quotaUse: { kind: 'fulfil', owner: tenant },
    since: order.queuedAt ?? updatedAt,
    message,
  } as const;
}

class NoLongerDue extends Error {}

/**
 * Postpones an item in the index of due items, so no other sweep queues it while a worker processes it.
 * @param expectedDueAt its due time as it was read, ISO 8601
 * @param nextDueAt when it is due again (epoch milliseconds)
 * @returns false when the item changed since it was read
 */
export async function postponeDueItem(key: Key, expectedDueAt: string, nextDueAt: number): Promise<boolean> {
  const whenUnchanged = {
    when: '#dueAt = :expected',
    values: { expected: expectedDueAt },
    orThrow: () => new NoLongerDue(),
  };
  try {
    await write(update(key, { set: { dueAt: formatDueTime(nextDueAt) } }, whenUnchanged));
    return true;
  } catch (error) {
    if (error instanceof NoLongerDue) return false;
    throw error;
  }
}
