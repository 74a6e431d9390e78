import { isDeepStrictEqual } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { newId } from '../../shared/core/ids.ts';
import { type Occurrence, occurrenceTypes, wants } from '../../shared/messaging/webhooks/webhook.ts';
import { type Actor, act, call, type Memory, outcome } from './actor.ts';
import type { WebhookRequest } from './core/network.ts';
import type { Item, Simulation } from './core/simulation.ts';
import type { Operation } from './operations.ts';
import type { Change } from './parts/table.ts';

/** Creates an endpoint of Olu's for some types, some events, or all. */
export async function createEndpoint(actor: Actor, isForAll = actor.random.chance(0.5)): Promise<void> {
  const { random, world } = actor;
  const types = occurrenceTypes.filter(() => isForAll || random.chance(0.5));
  const body = {
    url: `https://hooks.test/${random.below(1_000_000)}`,
    types,
    expand: random.chance(0.5),
    ...(!isForAll && random.chance(0.3) && { eventIds: [random.pick(Object.values(world.events))] }),
  };
  const what = `creates an endpoint for ${isForAll ? 'all' : types}`;
  await act(actor, world.people.olu, what, 'POST /api/webhook-endpoints', { body });
}

/** Disables an endpoint, or enables it again, with other types. */
async function replaceEndpoint(actor: Actor, { id, url, status }: Item): Promise<void> {
  const { random, world } = actor;
  const types = occurrenceTypes.filter(() => random.chance(0.7));
  const body = { url, types, expand: random.chance(0.5), enabled: status === 'disabled' };
  const what = `${body.enabled ? 'enables' : 'disables'} ${url}`;
  const options = { params: { id }, body };
  await act(actor, world.people.olu, what, 'PUT /api/webhook-endpoints/{id}', options);
}

/** Sends a message again. */
async function retryDelivery(actor: Actor, { id, url }: Item): Promise<void> {
  const { random, simulation, world } = actor;
  const deliveries = simulation.all('#DELIVERIES').filter(({ endpointId }) => endpointId === id);
  if (deliveries.length === 0) return;
  const params = { id, deliveryId: random.pick(deliveries).id };
  const route = 'POST /api/webhook-endpoints/{id}/deliveries/{deliveryId}/retry';
  await act(actor, world.people.olu, `sends ${params.deliveryId} to ${url} again`, route, { params });
}

/** Olu's system asks for what has happened since it asked last. */
async function pull(actor: Actor): Promise<void> {
  const { random, simulation, world, memory, tell } = actor;
  const { pulled } = memory;
  // A minute ago, with the difference of clocks.
  const settled = newId(simulation.kernel.now - 62_000);
  const expected = simulation.all('#OCCURRENCES').filter(({ id }) => id < settled);
  const query = { limit: String(1 + random.below(20)), ...(pulled.after && { after: pulled.after }) };
  const answer = await call(actor, 'GET /api/occurrences', { as: world.people.olu, query });
  tell(`olu pulls what happened → ${outcome(answer)}`);
  for (const { id } of answer.body?.occurrences ?? []) {
    pulled.ids.add(id);
    if (id > (pulled.after ?? '')) pulled.after = id;
  }
  if (!answer.body?.isComplete) return;
  const missing = expected.find(({ id }) => !pulled.ids.has(id));
  if (missing) simulation.violate('who pulls gets everything', `${missing.type} ${missing.id}`);
}

async function manageWebhooks(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const endpoints = simulation.all('ENDPOINT#');
  if (endpoints.length === 0 || random.chance(0.2)) return createEndpoint(actor);
  const endpoint = random.pick(endpoints);
  const as = world.people.olu;
  const route = '/api/webhook-endpoints/{id}' as const;
  const options = { params: { id: endpoint.id } };
  const step = random.weighted<() => Promise<unknown>>([
    [3, () => replaceEndpoint(actor, endpoint)],
    [1, () => act(actor, as, `deletes ${endpoint.url}`, `DELETE ${route}`, options)],
    [1, () => act(actor, as, `rotates the secret of ${endpoint.url}`, `POST ${route}/rotate`, options)],
    [1, () => act(actor, as, `tests ${endpoint.url}`, `POST ${route}/test`, options)],
    [2, () => retryDelivery(actor, endpoint)],
    [4, () => pull(actor)],
  ]);
  await step();
}

export const webhookOperations: readonly Operation[] = [{ name: 'webhooks', weight: 8, run: manageWebhooks }];

/** Something that webhooks report, as it shows in what one write has changed. */
interface Reportable {
  /** Names it: two messages about the same have the same name. */
  name: string;
  type: Occurrence['type'];
  eventId?: string;
  /** Whether the order has copied that its organizer has endpoints, where that decides. */
  isFlagged: boolean;
}

/**
 * No invocation takes longer, with the difference of clocks: a change whose endpoints have been the same for this time has
 * been decided with these endpoints.
 */
const longestInvocation = 90_000;

/** Compares the messages with what they report. */
export class Messages {
  readonly #simulation: Simulation;
  readonly #memory: Memory;
  /** Whether an endpoint wants each type, for each event, and since when. */
  readonly #wanted = new Map<string, { isWanted: boolean; since: number }>();

  constructor(simulation: Simulation, memory: Memory) {
    this.#simulation = simulation;
    this.#memory = memory;
    simulation.onCommit = (changes) => this.#checkCommit(changes);
    simulation.receivers.onReceive = (request) => this.#checkRequest(request);
    this.#observe(Number.NEGATIVE_INFINITY);
  }

  /** A message is written if and only if the change that it reports is: in one transaction, when an endpoint wants it. */
  #checkCommit(changes: Change<Item>[]): void {
    const simulation = this.#simulation;
    const reportable = changes.flatMap(findReportable);
    const messages = changes.flatMap(({ kind, before, after }) =>
      kind === '#OCCURRENCES' && !before && after ? [after] : [],
    );
    for (const message of messages) {
      const index = reportable.findIndex(({ name }) => name === nameOf(message));
      const [reported] = index < 0 ? [] : reportable.splice(index, 1);
      const name = nameOf(message);
      if (!reported) simulation.violate('a message reports a change', name);
      else if (this.#isWanted(reported) === false)
        simulation.violate('a message has an endpoint that wants it', name);
    }
    for (const change of reportable) {
      if (this.#isWanted(change)) simulation.violate('a change writes its message', change.name);
    }
    if (changes.some(({ kind }) => kind === 'ENDPOINT#' || kind === 'EVENT' || kind === 'USE')) {
      this.#observe(simulation.kernel.now);
    }
  }

  /** @returns undefined when it has changed during the longest invocation */
  #isWanted({ type, eventId, isFlagged }: Reportable): boolean | undefined {
    const { isWanted, since } = this.#wanted.get(`${type} ${eventId}`) ?? { isWanted: false, since: 0 };
    if (this.#simulation.kernel.now - since < longestInvocation) return isFlagged ? undefined : false;
    return isWanted && isFlagged;
  }

  #observe(now: number): void {
    const endpoints = this.#simulation.all('ENDPOINT#') as unknown as Parameters<typeof wants>[0][];
    const events = new Map(this.#simulation.all('EVENT').map((event) => [event.id, event]));
    const isUsed = this.#simulation.all('USE').some(({ count }) => count > 0);
    for (const type of occurrenceTypes) {
      for (const eventId of [undefined, ...events.keys()]) {
        const isMarked = eventId === undefined ? isUsed : Boolean(events.get(eventId)?.hasWebhooks);
        const isWanted = isMarked && endpoints.some((endpoint) => wants(endpoint, { type, eventId }));
        const before = this.#wanted.get(`${type} ${eventId}`);
        if (before?.isWanted === isWanted) continue;
        this.#wanted.set(`${type} ${eventId}`, { isWanted, since: now });
      }
    }
  }

  /** What a receiver gets is signed with a secret of its endpoint, and has happened. */
  #checkRequest({ url, headers, body }: WebhookRequest): void {
    const simulation = this.#simulation;
    // A repeated call may have created a second endpoint at the same address.
    const endpoints = simulation.all('ENDPOINT#').filter((candidate) => candidate.url === url);
    const id = headers['webhook-id'];
    const isSigned = endpoints
      .flatMap(({ secrets }) => secrets)
      .some(({ secret }) => {
        try {
          return new Webhook(secret).verify(body, headers);
        } catch {
          return false;
        }
      });
    if (endpoints.length > 0 && !isSigned) simulation.violate('a message is signed', `${url} ${id}`);
    const { type, data } = JSON.parse(body);
    const occurrence = simulation.all('#OCCURRENCES').find((candidate) => candidate.id === id);
    const isTrue = occurrence && occurrence.type === type && isWithin(JSON.parse(occurrence.data), data);
    if (type === 'endpoint.test') return;
    if (!isTrue) simulation.violate('a message that is sent has happened', `${url} ${body}`);
    const { counts } = this.#memory;
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }

  /** Who pulls misses nothing. */
  checkPulled(occurrences: Item[]): void {
    const { ids, after = '' } = this.#memory.pulled;
    for (const { id, type } of occurrences) {
      if (id <= after && !ids.has(id))
        this.#simulation.violate('who pulls misses nothing', `${type} ${id} was written after ${after}`);
    }
  }

  checkDeliveries(deliveries: Item[]): void {
    const simulation = this.#simulation;
    const urls = new Map(simulation.all('ENDPOINT#').map(({ id, url }) => [id, url]));
    for (const { id, endpointId, status, attempts, answer } of deliveries) {
      const url = urls.get(endpointId);
      const isAccepted = simulation.receivers.accepted.has(`${url} ${id}`);
      if (status === 'delivered' && url && !isAccepted)
        simulation.violate('what is delivered was accepted', `${url} ${id}`);
      // The erasure of a person removes the answer.
      const isEnded = /^The endpoint (is disabled|was deleted)$/.test(answer) || answer === undefined;
      if (status === 'failed' && attempts < 10 && !isEnded)
        simulation.violate('a message is attempted ten times', `${url} ${id}: ${attempts} attempts`);
    }
  }

  checkUse(): void {
    const { length } = this.#simulation.all('ENDPOINT#');
    const used = this.#simulation.all('USE').reduce((sum, { count }) => sum + count, 0);
    if (used !== length) this.#simulation.violate('endpoints are counted', `${used} of ${length}`);
  }
}

const isWithin = (part: Item, whole: Item) =>
  Object.entries(part).every(([name, value]) => JSON.stringify(whole[name]) === JSON.stringify(value));

/** Names what a message reports. */
function nameOf({ type, data }: Item): string {
  const { orderId, eventId, payoutId, entryId, number } = JSON.parse(data);
  return [type, payoutId ?? orderId ?? entryId ?? eventId, number]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** Finds what webhooks report in a change of one item. */
function findReportable({ kind, before, after }: Change<Item>): Reportable[] {
  if (!after) return [];
  const report = (
    isReported: unknown,
    type: Occurrence['type'],
    fields: { id: string; eventId?: string; isFlagged?: boolean },
    number?: number,
  ): Reportable[] => {
    const { id, eventId, isFlagged = true } = fields;
    const name = [type, id, number].filter((part) => part !== undefined).join(' ');
    return isReported ? [{ name, type, ...(eventId && { eventId }), isFlagged }] : [];
  };
  if (kind === 'ORDER' && before) {
    const { id, eventId, paymentStatus, fulfilmentStatus, isPosted } = after;
    const isFlagged = Boolean(before.hasWebhooks);
    const isFailed = paymentStatus === 'FAILED' && before.paymentStatus === 'PENDING';
    // A reissue that burned nothing leaves the tickets minted.
    const isMinted =
      fulfilmentStatus === 'minted' && !['minted', 'reissuing'].includes(before.fulfilmentStatus);
    const returned = countDone(after) - countDone(before);
    return [
      ...report(isPosted && !before.isPosted, 'order.completed', { id, eventId }),
      ...report(isFailed, 'order.failed', { id, eventId, isFlagged }),
      ...report(isMinted, 'ticket.minted', { id, eventId, isFlagged }),
      ...Array.from({ length: returned }, () => report(true, 'order.refunded', { id, eventId })).flat(),
    ];
  }
  if (kind === 'SEAT#') {
    const { orderId: id, number, transfers = 0, checkedInAt } = after;
    // A seat that was never transferred has its event in the key of its admission only.
    const eventId = after.eventId ?? /^EVENT#(\w+)#/.exec(after.eventPk)?.[1];
    return [
      ...report(transfers > (before?.transfers ?? 0), 'ticket.transferred', { id, eventId }, number),
      ...report(checkedInAt && !before?.checkedInAt, 'ticket.checked_in', { id, eventId }, number),
    ];
  }
  if (kind === 'EVENT' && before) {
    const { id, status, updatedAt, saleVersion, earningsUnlockedAt } = after;
    // A change of a code, or of who may buy, is a change of the terms of sale, and not of the event as it is shown.
    const isOfTerms = isDeepStrictEqual(withoutSwitches(after), {
      ...withoutSwitches(before),
      updatedAt,
      saleVersion,
    });
    const isUnlocked = earningsUnlockedAt !== before.earningsUnlockedAt;
    const isChanged = updatedAt !== before.updatedAt && !isOfTerms && !isUnlocked;
    const isCancelled = status === 'CANCELLED' && before.status !== 'CANCELLED';
    return report(isChanged, isCancelled ? 'event.cancelled' : 'event.updated', { id, eventId: id });
  }
  if (kind === 'WAITLIST#' && before?.status === 'waiting' && after.status === 'offered')
    return report(true, 'waiting_list.offered', after as { id: string; eventId: string });
  if (kind === 'PAYOUT' && before && after.status !== before.status) {
    const { id, status } = after;
    return [
      ...report(status === 'COMPLETED', 'payout.completed', { id }),
      ...report(status === 'FAILED', 'payout.failed', { id }),
    ];
  }
  return [];
}

/** The event without the switches of its waiting lists. A contract makes each change due for a check. */
const withoutSwitches = ({ poolSellsToList, tiers, duePk, dueAt, ...event }: Item) => ({
  ...event,
  tiers: tiers.map(({ sellsToList, ...tier }: Item) => tier),
});

const countDone = ({ refund, refunds = [] }: Item) =>
  [refund, ...refunds].filter((part) => part?.status === 'done').length;

/** What has to be done about webhooks in the end: every message has arrived, or is listed as failed. */
export function findUndelivered(simulation: Simulation): string[] {
  const missing: string[] = [];
  const endpoints = simulation.all('ENDPOINT#');
  const deliveries = new Map(
    simulation.all('#DELIVERIES').map((delivery) => [`${delivery.endpointId} ${delivery.id}`, delivery]),
  );
  for (const { id, type, endpointIds } of simulation.all('#OCCURRENCES')) {
    for (const endpoint of endpoints.filter((each) => endpointIds.includes(each.id))) {
      const { status = 'missing' } = deliveries.get(`${endpoint.id} ${id}`) ?? {};
      if (status !== 'delivered' && status !== 'failed')
        missing.push(`the delivery of ${type} ${id} to ${endpoint.url} is ${status}`);
    }
  }
  const reported = new Set(simulation.all('MAIL').map(({ content }) => content.endpointId));
  for (const { id, url, disabledReason } of endpoints) {
    if ((disabledReason === 'gone' || disabledReason === 'failing') && !reported.has(id))
      missing.push(`no mail about ${url}, which is ${disabledReason}`);
  }
  const isUsed = endpoints.length > 0;
  for (const { id, hasWebhooks = false } of simulation.all('EVENT')) {
    if (hasWebhooks !== isUsed) missing.push(`${id} does not know whether there are endpoints`);
  }
  return missing;
}
