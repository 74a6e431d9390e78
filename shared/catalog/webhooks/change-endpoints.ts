import { requireOwnEvents } from '../../accounts/api-keys/change-keys.ts';
import { requireLiveCaller } from '../../accounts/auth/step-up.ts';
import { announce, writeAndAnnounce } from '../../accounts/factors/announce.ts';
import { countAttempt } from '../../accounts/rate-limit.ts';
import { forbidden, ignoreNotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { toView } from '../../core/schemas.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact, update, write } from '../../dynamo/write.ts';
import { insertMailOnce, MailExists, queueMails } from '../../messaging/outbox/store.ts';
import { parseEndpointUrl } from '../../messaging/webhooks/address.ts';
import {
  changeEndpoint,
  findEndpoint,
  getDelivery,
  getEndpoint,
  insertEndpoint,
  listDeliveries,
  listOccurrences,
  newDelivery,
  putDelivery,
  queueDeliveries,
  readEndpoints,
  readWebhookUse,
  recordMarked,
  removeEndpoint,
  restartDelivery,
  type WebhookUse,
} from '../../messaging/webhooks/store.ts';
import {
  type EndpointInput,
  endpointView,
  toDeliveryView,
  toOccurrenceView,
} from '../../messaging/webhooks/views.ts';
import {
  apiVersion,
  isAboutPayouts,
  newWebhookSecret,
  type WebhookEndpoint,
} from '../../messaging/webhooks/webhook.ts';
import { sendMessage } from '../../runtime/queue.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import { countCopiedChange } from '../events/editing/event-limits.ts';
import { copyToEvents, indexDelaySeconds } from '../events/store.ts';

/** Shows an endpoint to its organizer, without its secrets. */
export const toEndpointView = (endpoint: WebhookEndpoint) => toView(endpointView, endpoint, {});

/**
 * Creates a webhook endpoint, mails its organizer about it, and has the organizer's events copy that there is one.
 * @returns the endpoint and its secret, which is not shown again
 * @throws DomainError 400 for an address that webhooks can't be sent to; 401 for a session or an API key that has ended; 403
 * for an API key that asks for what it may not read; 404 for an event of another organizer; 409 above the maximum number; 429 as
 * `countCopiedChange`
 */
export async function createEndpoint(caller: AccessClaims, input: EndpointInput) {
  await requireValid(caller, input);
  await countCopiedChange(caller.userId);
  const timestamp = new Date().toISOString();
  const secret = newWebhookSecret();
  const endpoint: WebhookEndpoint = {
    id: newId(),
    organizerId: caller.userId,
    apiVersion,
    secrets: [{ secret }],
    failures: 0,
    createdAt: timestamp,
    ...toFields(input),
  };
  await writeAndAnnounce(caller.userId, 'endpoint-added', [
    await requireLiveCaller(caller),
    ...insertEndpoint(endpoint),
  ]);
  await markEventsTwice(caller.userId);
  return { endpoint: toEndpointView(endpoint), secret };
}

async function requireValid(caller: AccessClaims, input: EndpointInput): Promise<void> {
  const { url, eventIds } = input;
  parseEndpointUrl(url);
  requireReadable(caller, input);
  await requireOwnEvents(caller.userId, eventIds);
}

/**
 * Requires that an API key may read what an endpoint gets: no payouts, and views of orders with their scope only.
 * @throws DomainError 403
 */
function requireReadable(
  { key }: AccessClaims,
  { types, expand }: { types: readonly string[]; expand: boolean },
): void {
  if (!key) return;
  if (types.some(isAboutPayouts)) throw forbidden('API keys reach no payouts', 'scope-missing');
  if (expand && !key.scopes.includes('orders:read'))
    throw forbidden('expand needs the scope orders:read', 'scope-missing');
}

const toFields = ({ url, types, eventIds, description, expand, enabled }: EndpointInput) => ({
  url: new URL(url).href,
  types: [...new Set(types)],
  eventIds,
  description,
  expand,
  status: enabled ? ('enabled' as const) : ('disabled' as const),
  disabledReason: enabled ? undefined : ('organizer' as const),
  updatedAt: new Date().toISOString(),
});

/** Returns an endpoint to its organizer; to API keys none that gets what they may not read. @throws DomainError 404, 403 */
async function getOwn(caller: AccessClaims, id: string): Promise<WebhookEndpoint> {
  const endpoint = await getEndpoint(caller.userId, id);
  requireReadable(caller, endpoint);
  return endpoint;
}

/** Lists the endpoints of the caller. */
export async function listEndpoints({ userId }: AccessClaims) {
  return (await readEndpoints(userId)).map(toEndpointView);
}

/**
 * Replaces the fields of an endpoint, and mails its organizer about another address. Enabling it forgets its failures.
 * @throws DomainError as `createEndpoint`, and 404
 */
export async function replaceEndpoint(caller: AccessClaims, id: string, input: EndpointInput) {
  const endpoint = await getOwn(caller, id);
  await requireValid(caller, input);
  const forgotten = input.enabled ? { failures: 0, failingSince: undefined, pausedUntil: undefined } : {};
  const fields = toFields(input);
  // Before the change, so that no crash leaves it unannounced.
  if (fields.url !== endpoint.url) {
    await countCopiedChange(caller.userId);
    await announce(caller.userId, 'endpoint-added');
  }
  const check = await requireLiveCaller(caller);
  return toEndpointView(await changeEndpoint(endpoint, { ...fields, ...forgotten }, check));
}

/** Deletes an endpoint. What waits for it is not sent. @throws DomainError 404 */
export async function deleteEndpoint(caller: AccessClaims, id: string): Promise<void> {
  await getOwn(caller, id);
  await removeEndpoint(caller.userId, id);
  await markEventsTwice(caller.userId);
}

/** Deletes all endpoints of a person. */
export async function deleteAllEndpoints(userId: string): Promise<void> {
  for (const { id } of await readEndpoints(userId)) await removeEndpoint(userId, id);
}

/** Disables the endpoints of a person that were created or changed in a time. @param since, until ISO 8601 in UTC */
export async function disableEndpointsOf(
  userId: string,
  { since, until }: { since: string; until: string },
): Promise<void> {
  for (const endpoint of await readEndpoints(userId)) {
    const isChanged = since <= endpoint.updatedAt && endpoint.updatedAt <= until;
    const change = { status: 'disabled', disabledReason: 'organizer' } as const;
    if (isChanged) await changeEndpoint(endpoint, change).catch(ignoreNotFound);
  }
}

const oldSecretMilliseconds = 24 * 60 * 60 * 1000;

/** Replaces the secret. For a day messages are signed with both. @throws DomainError 401, 404 */
export async function rotateSecret(caller: AccessClaims, id: string) {
  const endpoint = await getOwn(caller, id);
  const secret = newWebhookSecret();
  const validUntil = new Date(Date.now() + oldSecretMilliseconds).toISOString();
  const [current] = endpoint.secrets;
  const secrets = [{ secret }, ...(current ? [{ secret: current.secret, validUntil }] : [])];
  const change = { secrets, updatedAt: new Date().toISOString() };
  const changed = await changeEndpoint(endpoint, change, await requireLiveCaller(caller));
  return { endpoint: toEndpointView(changed), secret };
}

/** A test is made by hand. */
const testLimit = {
  maximum: 200,
  windowSeconds: 24 * 60 * 60,
  message: 'Endpoints were tested two hundred times today, please try again tomorrow',
};

/** Sends a message of the type `endpoint.test` to an endpoint. @throws DomainError 404, 403; 429 after too many tests */
export async function sendTest(caller: AccessClaims, id: string) {
  const endpoint = await getOwn(caller, id);
  await countAttempt(keys.attempts('WEBHOOK_TEST', caller.userId), testLimit);
  const timestamp = new Date().toISOString();
  const type = 'endpoint.test';
  const body = JSON.stringify({ type, timestamp, data: { endpointId: id, version: Date.parse(timestamp) } });
  const delivery = newDelivery(endpoint, { id: newId(), type, body });
  await write(putDelivery(delivery));
  await queueDeliveries([delivery]);
  return toDeliveryView(delivery);
}

/** Lists a page of an endpoint's deliveries, newest first. @throws DomainError 404 */
export async function showDeliveries(
  caller: AccessClaims,
  id: string,
  query: Parameters<typeof listDeliveries>[1],
) {
  await getOwn(caller, id);
  const { deliveries, nextCursor } = await listDeliveries(id, query);
  return { deliveries: deliveries.map(toDeliveryView), nextCursor };
}

/** Sends a message again, under the same id, with all its attempts. @throws DomainError 404, 403 */
export async function retryDelivery(caller: AccessClaims, id: string, deliveryId: string) {
  await getOwn(caller, id);
  const { type, body } = await getDelivery(id, deliveryId);
  // The endpoint may have had other types, and expanded messages, when it was written.
  requireReadable(caller, { types: [type], expand: 'order' in JSON.parse(body).data });
  const delivery = await restartDelivery(id, deliveryId);
  await queueDeliveries([delivery]);
  return toDeliveryView(delivery);
}

/**
 * Lists what happened, oldest first, after one of the occurrences. API keys see no payouts, and those that are limited to
 * some events see no others.
 */
export async function showOccurrences(
  { userId, key }: AccessClaims,
  query: { after?: string | undefined; limit: number },
) {
  const { occurrences, isComplete } = await listOccurrences(userId, query, ({ type, eventId }) => {
    if (!key) return true;
    const isCovered = !key.eventIds || (eventId !== undefined && key.eventIds.includes(eventId));
    return isCovered && !isAboutPayouts(type);
  });
  return { occurrences: occurrences.map(toOccurrenceView), isComplete };
}

/**
 * Has the organizer's events copy whether there are endpoints: now, and again when the index lists events that have just
 * been created.
 */
async function markEventsTwice(organizerId: string): Promise<void> {
  await sendMessage(
    'run-event-jobs',
    { type: 'mark-events', organizerId },
    { delaySeconds: indexDelaySeconds, tenant: organizerId },
  );
  await markEvents(organizerId);
}

/** Has events copy whether there are endpoints, when the index has all that were created before the last change. */
export async function markAllEvents(organizerId: string): Promise<void> {
  await recordMarked(organizerId, await markEvents(organizerId));
}

/**
 * Copies to the organizer's events whether there are endpoints. A later change of the endpoints wins.
 * @returns what they have copied
 */
async function markEvents(organizerId: string): Promise<WebhookUse> {
  const use = await readWebhookUse(organizerId);
  await copyToEvents(organizerId, use, { name: 'webhookVersion', version: use.webhookVersion });
  return use;
}

/** The organizer has the mail, or the endpoint was deleted. */
class AlreadyReported extends Error {}

/** Mails the organizer that an endpoint was disabled. */
export async function reportEndpoint(organizerId: string, endpointId: string): Promise<void> {
  const endpoint = await findEndpoint(organizerId, endpointId);
  if (!endpoint) return;
  const mail = { kind: 'webhook-disabled', organizerId, endpointId, disabledAt: endpoint.updatedAt } as const;
  const whenDue = { when: 'attribute_exists(#dueAt)', orThrow: () => new AlreadyReported() };
  const clearDue = update(
    keys.webhookEndpoint(organizerId, endpointId),
    { set: { duePk: undefined, dueAt: undefined } },
    whenDue,
  );
  try {
    await transact([clearDue, ...insertMailOnce(mail, organizerId)]);
    await queueMails([{ content: mail }]);
  } catch (error) {
    if (error instanceof AlreadyReported) return;
    if (!(error instanceof MailExists)) throw error;
    await write(clearDue);
  }
}
