import { conflict, invalid } from '../../../core/errors.ts';
import { randomCode } from '../../../core/ids.ts';
import { toPrice } from '../../../core/money.ts';
import { chooseShardCount, maximumShards } from '../../inventory/inventory.ts';
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
import type { EventCreation, QuestionInput, TierCreation } from './event-input.ts';

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
  const end = endDate ?? new Date(Date.parse(startDate) + defaultDurationMilliseconds).toISOString();
  const event: Event = {
    id,
    ...fields,
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
  return assignEntry(questions ? assignQuestions(event, questions) : event, entry);
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
  if (textLength(event) <= maximumTextLength) return;
  throw invalid(
    `The descriptions of an event and its tiers must have at most ${maximumTextLength} characters together`,
  );
}
