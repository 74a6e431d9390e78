import { randomBytes } from 'node:crypto';
import { conflict, invalid } from '../../../core/errors.ts';
import { randomCode } from '../../../core/ids.ts';
import { isCoin, toPrice } from '../../../core/money.ts';
import { chooseShardCount, maximumShards } from '../../inventory/inventory.ts';
import type { QueueState } from '../../queue/queue.ts';
import {
  type EntryType,
  type Event,
  isAddOn,
  lowestPrice,
  maximumTextLength,
  maximumTiers,
  type Tier,
  textLength,
} from '../event.ts';
import { derivedTime } from '../fields.ts';
import type {
  CheckInListInput,
  EventCreation,
  QuestionInput,
  QueueInput,
  TierCreation,
} from './event-input.ts';

const defaultDurationMilliseconds = 2 * 60 * 60 * 1000;

/**
 * Builds an event from a request, with defaults for absent fields. Its inventory has no shards yet.
 * @throws DomainError 400 for a price with more decimals than the currency has, for a sale that ends before it starts,
 * and for entry by token when the event has no contract or does not allow transfers
 */
export function newEvent(creation: EventCreation, organizerId: string, id: string, now: Date): Event {
  const {
    tiers: tierCreations,
    startDate,
    image,
    imageUrl,
    ticketPrice,
    maxCapacity,
    saleStart,
    saleEnd,
    endDate,
    totalSupply,
    maxPerWallet,
    entry,
    questions,
    queue,
    ...fields
  } = creation;
  const { currency } = fields;
  const generalAdmission = {
    name: 'General Admission',
    description: '',
    price: ticketPrice,
    quantity: totalSupply ?? maxCapacity,
    maxPerPerson: maxPerWallet ?? 10,
    kind: 'ticket' as const,
    perTicket: 1,
    minPerOrder: 1,
    taxPercent: undefined,
  };
  const isSimple = tierCreations.length === 0;
  const tiers = isSimple
    ? [newTier(generalAdmission, toPrice(ticketPrice, currency, 'ticketPrice'))]
    : tierCreations.map((tier, index) =>
        newTier(tier, toPrice(tier.price, currency, `tiers.${index}.price`)),
      );
  const tierSummary = summarizeTiers(tiers);
  const createdAt = now.toISOString();
  const end = endDate ?? derivedTime(Date.parse(startDate) + defaultDurationMilliseconds);
  const event: Event = {
    id,
    ...fields,
    queue: null,
    checkInLists: [],
    formerSellers: [],
    eventDate: startDate,
    endDate: end,
    saleStart: saleStart ?? createdAt,
    saleEnd: saleEnd ?? end,
    totalSupply: totalSupply ?? tierSummary.totalSupply,
    ticketPrice: tierSummary.ticketPrice,
    maxPerWallet: maxPerWallet ?? tierSummary.maxPerWallet,
    imageUrl: image || imageUrl,
    entry: 'account',
    isEntryChosen: false,
    organizerId,
    tiers,
    isSimple,
    saleVersion: 1,
    supplyShards: 0,
    createdAt,
    updatedAt: createdAt,
  };
  if (saleStart || saleEnd) refuseReversedSaleWindow(event);
  const queued = assignQueue(event, queue, now.getTime());
  const created = assignEntry(questions ? assignQuestions(queued, questions) : queued, entry);
  refuseUnsellableReturns(created);
  return created;
}

/** Builds a copy of an event as a draft, with all times moved by as much as its start. Nothing of it is sold. */
export function copyEvent(original: Event, startDate: string, id: string, now: Date): Event {
  const {
    latestEnd,
    earningsUnlockedAt,
    hasWebhooks,
    webhookVersion,
    organizer,
    organizerVersion,
    poolSellsToList,
    queue,
    queueState,
    ...event
  } = original;
  const distance = Date.parse(startDate) - Date.parse(event.eventDate);
  const move = (time: string) => derivedTime(Date.parse(time) + distance);
  const createdAt = now.toISOString();
  const copy: Event = {
    ...event,
    queue: null,
    id,
    status: 'DRAFT',
    eventDate: startDate,
    endDate: move(event.endDate),
    saleStart: move(event.saleStart),
    saleEnd: move(event.saleEnd),
    returns: event.returns && { ...event.returns, until: move(event.returns.until) },
    tiers: event.tiers.map(({ saleStart, saleEnd, sellsToList, ...tier }) => ({
      ...tier,
      ...(saleStart && { saleStart: move(saleStart) }),
      ...(saleEnd && { saleEnd: move(saleEnd) }),
      shards: 0,
    })),
    formerSellers: [],
    supplyShards: 0,
    saleVersion: 1,
    createdAt,
    updatedAt: createdAt,
  };
  const movedQueue = queue && {
    opensAt: move(queue.opensAt),
    drawAt: move(queue.drawAt),
    until: move(queue.until),
    perMinute: queueState?.perMinute,
  };
  return assignQueue(copy, movedQueue, now.getTime());
}

/**
 * Returns the event with another queue, which gets a seed. An open queue keeps its seed, its times and the rate that it
 * began with.
 * @param now epoch milliseconds
 * @throws DomainError 400 for times in the wrong order, 409 for a change of a queue that has opened
 */
export function assignQueue(event: Event, input: QueueInput | null, now: number): Event {
  const { queueState, ...others } = event;
  const queue = input && {
    opensAt: input.opensAt,
    drawAt: input.drawAt ?? event.saleStart,
    until: input.until ?? event.saleEnd,
  };
  const isSame =
    queueState !== undefined &&
    queue?.opensAt === event.queue?.opensAt &&
    queue?.drawAt === event.queue?.drawAt &&
    input?.perMinute === queueState.perMinute;
  if (event.queue && !isSame && Date.parse(event.queue.opensAt) <= now) {
    throw conflict('queue-opened', 'The queue has opened, so only its end can be changed here');
  }
  const next: Event = isSame ? { ...event, queue } : { ...others, queue };
  refuseMisplacedDraw(next);
  return queue === null || isSame ? next : { ...next, queueState: newQueueState(input?.perMinute) };
}

function newQueueState(perMinute: number | undefined): QueueState {
  return {
    placeKey: randomBytes(16).toString('hex'),
    seed: randomBytes(32).toString('hex'),
    ...(perMinute !== undefined && { perMinute }),
    isPaused: false,
    rates: [],
    version: 0,
  };
}

/**
 * Requires what returns need that wait for a buyer: somebody who may wait, a payment that can be refunded in part, and entry
 * by account. A token can be sold elsewhere while its ticket is listed.
 * @throws DomainError 400
 */
export function refuseUnsellableReturns({ returns, waitingList, entry, currency }: Event): void {
  if (returns?.mode !== 'when-resold') return;
  if (!waitingList) throw invalid('returns.mode when-resold needs waitingList');
  if (entry !== 'account') throw invalid('returns.mode when-resold needs entry by account');
  if (isCoin(currency)) throw invalid('returns.mode when-resold needs a currency that is paid at a gateway');
}

/** @throws DomainError 400 for a queue whose draw is before the sale, or whose times are in the wrong order */
export function refuseMisplacedDraw({ queue, saleStart }: Event): void {
  if (!queue) return;
  if (queue.drawAt < saleStart) throw invalid('queue.drawAt must not be before saleStart');
  if (queue.opensAt > queue.drawAt || queue.until <= queue.drawAt) {
    throw invalid('queue.drawAt must be between opensAt and until');
  }
}

/**
 * Returns the event with other questions. New ones get an id.
 * @throws DomainError 400 for an unknown or repeated question and for an unknown tier; 409 for another kind
 */
export function assignQuestions(event: Event, inputs: readonly QuestionInput[]): Event {
  const ids = inputs.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length) throw invalid('questions must have each id once');
  const questions = inputs.map((input, index) => {
    const before = event.questions?.find(({ id }) => id === input.id);
    if (input.id !== undefined && !before)
      throw invalid(`questions.${index}.id is not one of this event’s questions`);
    if (before && (before.kind !== input.kind || before.per !== input.per)) {
      throw conflict('question-kind-fixed', 'A question keeps its kind. Add a new question instead.');
    }
    if (input.tierIds.some((tierId) => !event.tiers.some(({ id }) => id === tierId))) {
      throw invalid(`questions.${index}.tierIds must be tiers of this event`);
    }
    return { ...input, id: before?.id ?? randomCode(6).toLowerCase() };
  });
  return { ...event, questions };
}

/**
 * Returns the event with other check-in lists. New ones get an id.
 * @throws DomainError 400 for an unknown or repeated list, a repeated name, and an unknown tier
 */
export function assignCheckInLists(event: Event, inputs: readonly CheckInListInput[]): Event {
  const ids = inputs.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length) throw invalid('checkInLists must have each id once');
  const names = inputs.map(({ name }) => name);
  if (new Set(names).size < names.length) throw invalid('checkInLists must have different names');
  const checkInLists = inputs.map(({ id, ...input }, index) => {
    if (id !== undefined && !event.checkInLists.some((list) => list.id === id))
      throw invalid(`checkInLists.${index}.id is not one of this event’s lists`);
    if (input.tierIds.some((tierId) => !event.tiers.some((tier) => tier.id === tierId)))
      throw invalid(`checkInLists.${index}.tierIds must be tiers of this event`);
    return { ...input, id: id ?? randomCode(6).toLowerCase() };
  });
  return { ...event, checkInLists };
}

/** @throws DomainError 400 for a sale of an event or a tier that ends before it starts */
export function refuseReversedSaleWindow({
  saleStart,
  saleEnd,
}: Pick<TierCreation, 'saleStart' | 'saleEnd'>): void {
  if (saleStart && saleEnd && saleEnd < saleStart) throw invalid('saleEnd must not be before saleStart');
}

/**
 * Builds a tier with a price in minor units. Its inventory has no shards yet.
 * @throws DomainError 400 for a sale that ends before it starts
 */
export function newTier(
  { hidden, saleStart, saleEnd, taxPercent, ...fields }: TierCreation,
  price: bigint,
): Tier {
  refuseReversedSaleWindow({ saleStart, saleEnd });
  return {
    // Short, since orders contain it once for each item. It only has to differ from the event's other tiers.
    id: randomCode(8).toLowerCase(),
    ...fields,
    price,
    hidden: hidden ?? false,
    ...(taxPercent !== undefined && { taxPercent }),
    ...(saleStart && { saleStart }),
    ...(saleEnd && { saleEnd }),
    shards: 0,
  };
}

/** Returns the fields of an event that summarize its tiers, apart from add-ons. */
export function summarizeTiers(tiers: readonly Tier[]) {
  const tickets = tiers.filter((tier) => !isAddOn(tier));
  return {
    totalSupply: sumQuantities(tickets),
    ticketPrice: lowestPrice(tickets),
    maxPerWallet: Math.max(1, ...tickets.map(({ maxPerPerson }) => maxPerPerson)),
  };
}

/**
 * Returns the event with its entry type: the organizer's present choice, else the earlier one. Without any choice, the
 * entry is `token` when the event has a contract and allows transfers, else `account`.
 * @throws DomainError 400 for entry by token when the event has no contract or does not allow transfers
 */
export function assignEntry(event: Event, choice: EntryType | undefined): Event {
  const hasTokens = event.contractAddress !== null && event.allowTransfers;
  const isEntryChosen = choice !== undefined || event.isEntryChosen;
  const entry = choice ?? (event.isEntryChosen ? event.entry : hasTokens ? 'token' : 'account');
  if (entry === 'token' && !hasTokens) {
    throw invalid('entry by token needs a contractAddress and allowTransfers');
  }
  return { ...event, entry, isEntryChosen };
}

/**
 * Returns the event with a new number of shards for each pool (inventory.ts) whose capacity changed. The event has its
 * own pool when its supply is below the sum of its tiers. A pool's number of shards never decreases. One shard is
 * reserved for each tier that can still be added and one for the event's pool, so that one transaction can always change
 * all pools.
 * @param before the event before the change; undefined for a new one
 * @param ticketsPerShard the number of tickets for which one shard suffices
 */
export function assignShards(before: Event | undefined, after: Event, ticketsPerShard: number): Event {
  const increaseShards = (shards: number, capacity: number, maximumIncrease: number) =>
    Math.max(shards, chooseShardCount(capacity, ticketsPerShard, shards + maximumIncrease));
  const isUnchanged = (tier: Tier) =>
    before?.tiers.some(({ id, quantity }) => id === tier.id && quantity === tier.quantity);

  let unassignedShards = countFreeShards(after);
  let remainingTiers = after.tiers.filter((tier) => !isUnchanged(tier)).length;
  const tiers = after.tiers.map((tier) => {
    if (isUnchanged(tier)) return tier;
    const shards = increaseShards(tier.shards, tier.quantity, Math.floor(unassignedShards / remainingTiers));
    unassignedShards -= shards - tier.shards;
    remainingTiers -= 1;
    return { ...tier, shards };
  });

  const sum = sumQuantities(after.tiers.filter((tier) => !isAddOn(tier)));
  if (after.totalSupply >= sum) return { ...after, tiers, supplyShards: 0 };
  if (after.supplyShards === 0)
    return { ...after, tiers, supplyShards: increaseShards(1, after.totalSupply, unassignedShards) };
  if (before?.totalSupply === after.totalSupply) return { ...after, tiers };
  return {
    ...after,
    tiers,
    supplyShards: increaseShards(after.supplyShards, after.totalSupply, unassignedShards),
  };
}

const sumQuantities = (tiers: readonly Tier[]) => tiers.reduce((sum, { quantity }) => sum + quantity, 0);

/** Returns how many shards are neither used nor reserved for pools that can still be added. */
function countFreeShards({ tiers, supplyShards }: Event): number {
  const used = tiers.reduce((total, { shards }) => total + shards, supplyShards);
  const reserved = maximumTiers - tiers.length + (supplyShards === 0 ? 1 : 0);
  return maximumShards - used - reserved;
}

/** Refuses descriptions whose total length exceeds the maximum. @throws DomainError 400 */
export function refuseLongTexts(event: Event): void {
  if (textLength(event) > maximumTextLength)
    throw invalid(
      `The descriptions of an event and its tiers must have at most ${maximumTextLength} characters together`,
    );
  const texts = (event.questions ?? []).flatMap(({ label, options }) => [label, ...options]);
  if (texts.join('').length > maximumQuestionsLength)
    throw invalid(`The questions must have at most ${maximumQuestionsLength} characters together`);
}

/** Lists of events contain their questions. */
const maximumQuestionsLength = 10_000;
