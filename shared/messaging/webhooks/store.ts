import { conflict, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { bulkDueAttributes, dueAttributes, keys, parkedAttributes, partitions } from '../../dynamo/keys.ts';
import { getItem, type PageQuery, queryAll, queryPage } from '../../dynamo/read.ts';
import {
  type Condition,
  check,
  put,
  remove,
  transact,
  update,
  type Write,
  write,
} from '../../dynamo/write.ts';
import { optionalSetting, queueUrlVariable } from '../../runtime/config.ts';
import { sendMessages } from '../../runtime/queue.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { log } from '../../runtime/telemetry.ts';
import {
  bodyOf,
  type Delivery,
  maximumEndpoints,
  maximumSlowAttempts,
  type NewOccurrence,
  type Occurrence,
  retentionSeconds,
  sharedSlowAttempts,
  slowForMilliseconds,
  toDelivery,
  toOccurrence,
  toWebhookEndpoint,
  type WebhookEndpoint,
  wants,
} from './webhook.ts';

const ttl = (now = Date.now()) => Math.floor(now / 1000) + retentionSeconds;

/** Something that was done, or changed in the meantime; a delivery that may not be sent yet. */
export class NotDue extends Error {}

export function ignoreNotDue(error: unknown): undefined {
  if (!(error instanceof NotDue)) throw error;
}

/** Reads the endpoints of an organizer, strongly consistent. */
export async function readEndpoints(organizerId: string): Promise<WebhookEndpoint[]> {
  const endpoints: WebhookEndpoint[] = [];
  const source = { partition: partitions.webhooks(organizerId), prefix: 'ENDPOINT#', ascending: true };
  for await (const item of queryAll(source)) endpoints.push(toWebhookEndpoint(item));
  return endpoints;
}

/** @throws DomainError 404 for another organizer's */
export async function getEndpoint(organizerId: string, id: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(organizerId, id);
  if (!endpoint) throw notFound('Endpoint');
  return endpoint;
}

export async function findEndpoint(organizerId: string, id: string): Promise<WebhookEndpoint | undefined> {
  const item = await getItem(keys.webhookEndpoint(organizerId, id));
  return item && toWebhookEndpoint(item);
}

/**
 * The number of an organizer's endpoints, and how often it has changed. Events copy both, so that a change of an order
 * knows without a read whether anybody wants to hear of it.
 */
export interface WebhookUse {
  webhookVersion: number;
  hasWebhooks: boolean;
}

export async function readWebhookUse(organizerId: string): Promise<WebhookUse> {
  const item = await getItem(keys.webhookUse(organizerId));
  return { webhookVersion: Number(item?.version ?? 0), hasWebhooks: Number(item?.count ?? 0) > 0 };
}

/** Returns a check that the endpoints have not changed. @throws DomainError 409 from the transaction */
export function checkWebhookUse(organizerId: string, { webhookVersion }: WebhookUse): Write {
  return check(keys.webhookUse(organizerId), {
    when: 'attribute_not_exists(#version) OR #version = :version',
    values: { version: webhookVersion },
    orThrow: () => conflict('busy', 'Your webhook endpoints are being changed, please try again', 1),
  });
}

/** Returns the change of the number of endpoints. The sweep has events copy it, unless that is done before. */
const changeUse = (organizerId: string, count: 1 | -1) => ({
  add: { count, version: 1 },
  set: dueAttributes(organizerId, Date.now() + outboxDelayMilliseconds),
});

/** Stores that all events have copied the number of endpoints, unless it has changed since. */
export async function recordMarked(
  organizerId: string,
  { webhookVersion }: Pick<WebhookUse, 'webhookVersion'>,
): Promise<void> {
  const whenUnchanged = {
    when: '#version = :version',
    values: { version: webhookVersion },
    orThrow: () => new NotDue(),
  };
  const set = { duePk: undefined, dueAt: undefined };
  await write(update(keys.webhookUse(organizerId), { set }, whenUnchanged)).catch(ignoreNotDue);
}

/** Returns the writes that insert an endpoint. @throws DomainError 409 for an organizer with the maximum number of endpoints */
export function insertEndpoint(endpoint: WebhookEndpoint): Write[] {
  const { organizerId, id } = endpoint;
  const hasRoom = {
    when: 'attribute_not_exists(#count) OR #count < :maximum',
    values: { maximum: maximumEndpoints },
    orThrow: () => conflict('too-many-endpoints', `You have ${maximumEndpoints} endpoints: delete one first`),
  };
  return [
    put({ ...keys.webhookEndpoint(organizerId, id), ...endpoint }),
    update(keys.webhookUse(organizerId), changeUse(organizerId, 1), hasRoom),
  ];
}

/** @throws DomainError 404 for another organizer's */
export function removeEndpoint(organizerId: string, id: string): Promise<void> {
  return transact([
    remove(keys.webhookEndpoint(organizerId, id), whenExists),
    update(keys.webhookUse(organizerId), changeUse(organizerId, -1)),
  ]);
}

const whenExists: Condition = { when: 'attribute_exists(#pk)', orThrow: () => notFound('Endpoint') };

/**
 * Changes fields of an endpoint. Only what a person changes has a new `updatedAt`, by which a recovered account finds it.
 * @param check a condition of the same transaction
 * @throws DomainError 404 from the write, and the error of the check
 */
export async function changeEndpoint(
  { organizerId, id }: Pick<WebhookEndpoint, 'organizerId' | 'id'>,
  set: Partial<WebhookEndpoint> & { duePk?: string | undefined; dueAt?: string | undefined },
  check?: Write,
): Promise<WebhookEndpoint> {
  const change = update(keys.webhookEndpoint(organizerId, id), { set }, whenExists);
  if (!check) return toWebhookEndpoint(await write(change));
  await transact([check, change]);
  return getEndpoint(organizerId, id);
}

/** Counts a failed attempt. @returns the endpoint with its failures in a row */
export async function countFailure({ organizerId, id }: WebhookEndpoint): Promise<WebhookEndpoint> {
  const failingSince = new Date().toISOString();
  const change = { add: { failures: 1 }, setIfAbsent: { failingSince } };
  return toWebhookEndpoint(await write(update(keys.webhookEndpoint(organizerId, id), change, whenExists)));
}

/**
 * Pauses an endpoint. Meanwhile its deliveries are parked, where they hide no others from the sweep.
 * @param until epoch milliseconds
 */
export async function pauseEndpoint(endpoint: WebhookEndpoint, until: number): Promise<void> {
  await startParking(endpoint, until, until);
  await changeEndpoint(endpoint, { pausedUntil: new Date(until).toISOString() });
}

/**
 * Has the sweep read what is parked for an endpoint. Called before anything is.
 * @param until until when deliveries may be parked, epoch milliseconds
 * @param dueAt when the sweep reads them for the first time, epoch milliseconds
 */
async function startParking(
  { organizerId, id: endpointId }: WebhookEndpoint,
  until: number,
  dueAt: number,
): Promise<void> {
  const parking = { organizerId, endpointId, until: new Date(until).toISOString(), ttl: ttl() };
  const set = { ...parking, ...bulkDueAttributes('WEBHOOK', endpointId, dueAt) };
  await write(update(keys.parking(organizerId, endpointId), { set }));
}

/** Stores that an endpoint is slow. Meanwhile deliveries that get no slot are parked. */
export async function markSlow(endpoint: WebhookEndpoint): Promise<void> {
  const { organizerId, id } = endpoint;
  const now = Date.now();
  await startParking(endpoint, now + slowForMilliseconds, now);
  const slowUntil = new Date(now + slowForMilliseconds).toISOString();
  const whenThere = { when: 'attribute_exists(#pk)', orThrow: () => new NotDue() };
  const change = update(keys.webhookEndpoint(organizerId, id), { set: { slowUntil } }, whenThere);
  await write(change).catch(ignoreNotDue);
}

/**
 * Leases a slot for an attempt to a slow endpoint: the organizer's first, or a further one with one of those that all organizers
 * share.
 * @param until when the lease ends, epoch milliseconds
 * @returns a function that ends the lease; undefined when the slots are taken
 */
export async function leaseSlow(
  organizerId: string,
  until: number,
): Promise<(() => Promise<unknown>) | undefined> {
  const endFirst = await leaseSlot(organizerId, 0, until);
  if (endFirst) return endFirst;
  const further = 1 + Math.floor(Math.random() * (maximumSlowAttempts - 1));
  const endFurther = await leaseSlot(organizerId, further, until);
  const shared = Math.floor(Math.random() * sharedSlowAttempts);
  const endShared = endFurther && (await leaseSlot('ALL', shared, until));
  if (endShared) return () => Promise.all([endFurther(), endShared()]);
  await endFurther?.();
  return undefined;
}

async function leaseSlot(
  owner: string,
  slotNumber: number,
  until: number,
): Promise<(() => Promise<unknown>) | undefined> {
  const key = keys.webhookSlot(owner, slotNumber);
  const whenFree = {
    when: 'attribute_not_exists(#until) OR #until < :now',
    values: { now: Date.now() },
    orThrow: () => new NotDue(),
  };
  const whenMine = { when: '#until = :until', values: { until }, orThrow: () => new NotDue() };
  const set = { until, ttl: ttl() };
  const slot = await write(update(key, { set }, whenFree)).catch(ignoreNotDue);
  return slot && (() => write(update(key, { set: { until: undefined } }, whenMine)).catch(ignoreNotDue));
}

/**
 * Disables an endpoint, unless its organizer has just changed it. The sweep queues the mail to its organizer, since the
 * function that delivers may write only webhooks.
 */
export async function disableEndpoint(
  { organizerId, id, url }: WebhookEndpoint,
  disabledReason: 'gone' | 'failing',
): Promise<void> {
  const whenUnchanged = {
    when: '#status = :enabled AND #url = :url',
    values: { enabled: 'enabled', url },
    orThrow: () => new NotDue(),
  };
  const updatedAt = new Date().toISOString();
  const set = { status: 'disabled', disabledReason, updatedAt, ...dueAttributes(id, Date.now()) };
  const change = update(keys.webhookEndpoint(organizerId, id), { set }, whenUnchanged);
  await write(change).catch(ignoreNotDue);
  log.warn('Webhook endpoint disabled', { endpointId: id, disabledReason });
}

/** The occurrences of a change: their writes belong into its transaction, then they are queued. */
export interface Occurrences {
  writes: Write[];
  queue(): Promise<void>;
}

const none: Occurrences = { writes: [], queue: async () => {} };

/**
 * Returns the writes that record what happens with a change, for the endpoints that want it; none without any. They
 * belong into the transaction of the change, so that neither is written without the other. `queue` has them delivered at
 * once; otherwise the sweep does within two minutes.
 * @param isAnywhere whether the organizer has endpoints, as far as the caller knows: `false` reads nothing
 */
export async function prepareOccurrences(
  organizerId: string,
  isAnywhere: boolean | undefined,
  happened: readonly NewOccurrence[],
): Promise<Occurrences> {
  if (!isAnywhere || happened.length === 0) return none;
  const endpoints = await readEndpoints(organizerId);
  const occurrences = happened.flatMap((each) => toStored(organizerId, endpoints, each));
  if (occurrences.length === 0) return none;
  const dueAt = Date.now() + outboxDelayMilliseconds;
  return {
    writes: occurrences.map((occurrence) =>
      put({
        ...keys.occurrence(organizerId, occurrence.id),
        ...occurrence,
        ...(occurrence.view && ofOrder(occurrence)),
        ttl: ttl(),
        ...bulkDueAttributes('WEBHOOK', occurrence.id, dueAt),
      }),
    ),
    queue: () =>
      trySend(
        occurrences.map(({ id }) => ({
          message: { type: 'announce-occurrence', organizerId, occurrenceId: id },
          tenant: organizerId,
        })),
      ),
  };
}

function toStored(
  organizerId: string,
  endpoints: readonly WebhookEndpoint[],
  { type, eventId, timestamp, data, view }: NewOccurrence,
): Occurrence[] {
  const receivers = endpoints.filter((endpoint) => wants(endpoint, { type, eventId }));
  if (receivers.length === 0) return [];
  const isExpanded = view && receivers.some(({ expand }) => expand);
  return [
    {
      id: newId(),
      organizerId,
      ...(eventId && { eventId }),
      type,
      timestamp,
      data: JSON.stringify({ ...data, version: Date.parse(timestamp) }),
      ...(isExpanded && { view: JSON.stringify(view()) }),
      endpointIds: receivers.map(({ id }) => id),
    },
  ];
}

/** Returns the index attributes by which the erasure of a person finds the occurrences of an order with its view. */
function ofOrder({ id, data }: Occurrence) {
  const { orderId } = JSON.parse(data);
  return orderId && { ownerPk: partitions.orderOccurrences(orderId), ownerSk: id };
}

/** Removes an order's view, which has personal data, from what happened, and from the messages about it. */
export async function eraseViews(orderId: string): Promise<void> {
  const source = { index: 'byOwner', partition: partitions.orderOccurrences(orderId) } as const;
  for await (const item of queryAll(source)) {
    const { view, ...occurrence } = toOccurrence(item);
    const { id, organizerId, endpointIds } = occurrence;
    const key = keys.occurrence(organizerId, id);
    // First, so that no delivery is made of it meanwhile.
    await write(update(key, { set: { view: undefined } }));
    const set = { body: bodyOf(occurrence, { expand: false }), answer: undefined };
    for (const endpointId of endpointIds) {
      const whenThere = { when: 'attribute_exists(#pk)', orThrow: () => new NotDue() };
      await write(update(keys.delivery(endpointId, id), { set }, whenThere)).catch(ignoreNotDue);
    }
    await write(update(key, { set: { ownerPk: undefined, ownerSk: undefined } }));
  }
}

type QueuedMessage = Parameters<typeof sendMessages<'deliver-webhooks'>>[1][number];

/** Queues messages. An error of the queue is only logged: the sweep queues them again. */
async function trySend(messages: readonly QueuedMessage[]): Promise<void> {
  // Functions that rarely have something to report do not name the queue.
  if (!optionalSetting(queueUrlVariable('deliver-webhooks'))) return;
  try {
    await sendMessages('deliver-webhooks', messages);
  } catch (error) {
    log.error('Webhooks could not be queued', error, { messages: messages.length });
  }
}

/** Makes a delivery for each endpoint of an occurrence, once, and queues them. */
export async function announceOccurrence(organizerId: string, occurrenceId: string): Promise<void> {
  const item = await getItem(keys.occurrence(organizerId, occurrenceId));
  if (!item?.dueAt) return;
  const occurrence = toOccurrence(item);
  const endpoints = (await readEndpoints(organizerId)).filter(({ id }) =>
    occurrence.endpointIds.includes(id),
  );
  const deliveries = endpoints.map((endpoint) =>
    newDelivery(endpoint, { id: occurrence.id, type: occurrence.type, body: bodyOf(occurrence, endpoint) }),
  );
  const isErasable = occurrence.view ? ' AND attribute_exists(#view)' : '';
  const whenDue = { when: `attribute_exists(#dueAt)${isErasable}`, orThrow: () => new NotDue() };
  try {
    await transact([
      update(
        keys.occurrence(organizerId, occurrenceId),
        { set: { duePk: undefined, dueAt: undefined } },
        whenDue,
      ),
      ...deliveries.map(putDelivery),
    ]);
  } catch (error) {
    if (!(error instanceof NotDue)) throw error;
    // It was announced, or its view was erased, in the meantime.
    return announceOccurrence(organizerId, occurrenceId);
  }
  await queueDeliveries(deliveries);
}

export function newDelivery(
  { id: endpointId, organizerId }: WebhookEndpoint,
  message: Pick<Delivery, 'id' | 'type' | 'body'>,
): Delivery {
  const timestamp = new Date().toISOString();
  return {
    ...message,
    endpointId,
    organizerId,
    status: 'waiting',
    attempts: 0,
    notBefore: timestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
  };
}

/** Returns the write that stores a delivery that is due. */
export function putDelivery(delivery: Delivery): Write {
  return put({
    ...keys.delivery(delivery.endpointId, delivery.id),
    ...delivery,
    ttl: ttl(),
    ...bulkDueAttributes('WEBHOOK', delivery.id, Date.now() + outboxDelayMilliseconds),
  });
}

/** Queues deliveries. The queue is fair between organizers. @param delaySeconds 0 to 900 */
export function queueDeliveries(deliveries: readonly Delivery[], delaySeconds = 0): Promise<void> {
  return trySend(
    deliveries.map(({ organizerId, endpointId, id }) => ({
      message: { type: 'deliver', organizerId, endpointId, deliveryId: id },
      tenant: organizerId,
      delaySeconds,
    })),
  );
}

/**
 * Leases a delivery, so that no other worker sends it meanwhile.
 * @param until when the lease ends, epoch milliseconds
 * @returns undefined when it does not wait, or may not be sent yet
 */
export async function leaseDelivery(
  endpointId: string,
  id: string,
  until: number,
): Promise<Delivery | undefined> {
  const now = new Date().toISOString();
  const condition = {
    when: '#status = :waiting AND #notBefore <= :now',
    values: { waiting: 'waiting', now },
    orThrow: () => new NotDue(),
  };
  const set = { notBefore: new Date(until).toISOString(), ...bulkDueAttributes('WEBHOOK', id, until) };
  return write(update(keys.delivery(endpointId, id), { set }, condition)).then(toDelivery, ignoreNotDue);
}

/**
 * Stores the outcome of an attempt. Does nothing when the lease has ended and another worker has the delivery.
 * @param outcome.dueAt when the sweep queues it, epoch milliseconds
 * @param outcome.isParked whether it waits for a paused or slow endpoint
 */
export async function recordAttempt(
  leased: Delivery,
  {
    nextAttemptAt,
    dueAt = nextAttemptAt,
    isParked = false,
    ...outcome
  }: Partial<Delivery> & { nextAttemptAt?: number; dueAt?: number; isParked?: boolean },
): Promise<Delivery | undefined> {
  const { endpointId, id, notBefore } = leased;
  const due =
    nextAttemptAt === undefined || dueAt === undefined
      ? { duePk: undefined, dueAt: undefined }
      : {
          notBefore: new Date(nextAttemptAt).toISOString(),
          ...(isParked ? parkedAttributes(endpointId, dueAt) : bulkDueAttributes('WEBHOOK', id, dueAt)),
        };
  const isLeased = {
    when: '#status = :waiting AND #notBefore = :notBefore',
    values: { waiting: 'waiting', notBefore },
    orThrow: () => new NotDue(),
  };
  const set = { ...outcome, ...due, updatedAt: new Date().toISOString() };
  return write(update(keys.delivery(endpointId, id), { set }, isLeased)).then(toDelivery, ignoreNotDue);
}

/** @throws DomainError 404 */
export async function getDelivery(endpointId: string, id: string): Promise<Delivery> {
  const item = await getItem(keys.delivery(endpointId, id));
  if (!item) throw notFound('Delivery');
  return toDelivery(item);
}

/** Lets a delivery begin again, with all its attempts. @throws DomainError 404 */
export async function restartDelivery(endpointId: string, id: string): Promise<Delivery> {
  const now = new Date().toISOString();
  const set = {
    status: 'waiting',
    attempts: 0,
    hasWaited: undefined,
    notBefore: now,
    updatedAt: now,
    statusCode: undefined,
    answer: undefined,
    ttl: ttl(),
    ...bulkDueAttributes('WEBHOOK', id, Date.now() + outboxDelayMilliseconds),
  };
  const isThere = { when: 'attribute_exists(#pk)', orThrow: () => notFound('Delivery') };
  return toDelivery(await write(update(keys.delivery(endpointId, id), { set }, isThere)));
}

/** Lists a page of an endpoint's deliveries, newest first. */
export async function listDeliveries(endpointId: string, query: PageQuery) {
  const source = { partition: partitions.deliveries(endpointId) };
  const { items, nextCursor } = await queryPage(source, query);
  return { deliveries: items.map(toDelivery), nextCursor };
}

/** Changes in progress may still add occurrences with ids of this long ago, in milliseconds. */
const settlingMilliseconds = 60_000;

/**
 * Lists occurrences of an organizer in their order, after one of them. Those of the last minute are not listed yet: an
 * older one could still be committed, and a receiver that has gone on would miss it.
 */
export async function listOccurrences(
  organizerId: string,
  { after, limit }: { after?: string | undefined; limit: number },
  isShown: (occurrence: Occurrence) => boolean,
): Promise<{ occurrences: Occurrence[]; isComplete: boolean }> {
  const occurrences: Occurrence[] = [];
  const now = Date.now();
  // `!` sorts before every character of an id.
  const from = after === undefined ? ' ' : `${after}!`;
  const to = newId(now - settlingMilliseconds).slice(0, 9);
  // A message arrives before what it reports is listed.
  if (from > to) return { occurrences, isComplete: true };
  const source = { partition: partitions.occurrences(organizerId), from, to, ascending: true };
  for await (const item of queryAll(source)) {
    const occurrence = toOccurrence(item);
    const isExpired = Date.parse(occurrence.timestamp) < now - retentionSeconds * 1000;
    if (isExpired || !isShown(occurrence)) continue;
    if (occurrences.length === limit) return { occurrences, isComplete: false };
    occurrences.push(occurrence);
  }
  return { occurrences, isComplete: true };
}
