import { createHmac } from 'node:crypto';
import * as z from 'zod';

/**
 * The queue of an event's sale. People join from `opensAt` on. Those who joined before `drawAt` are drawn, all others
 * follow in the order of joining. People are admitted in the order of their numbers, at a rate. Whether a number is
 * admitted is computed from the rates, so admitting costs no write, and waiting costs no read of the table.
 */

/** How an organizer configures it. Times are ISO 8601 in UTC. */
export const queueTerms = z.object({
  opensAt: z.string(),
  drawAt: z.string(),
  /** When everybody may order again. */
  until: z.string(),
});

/** The rate of admissions from a time on (epoch milliseconds), and the number that was admitted up to then. */
const rate = z.object({
  at: z.number(),
  upTo: z.number(),
  perMinute: z.number(),
  /** The highest number that it admits: people who join later are not admitted in advance. */
  limit: z.number(),
});
export type Rate = z.infer<typeof rate>;

/** What is decided about a queue while it runs. It is stored with the event, so that an order reads it with the event. */
export const queueState = z.object({
  /** The key of the places' ids, see `placeIdOf`. */
  placeKey: z.string(),
  /** Secret until the draw. */
  seed: z.string(),
  /** The number of admissions a minute that the organizer has chosen; absent for automatic. */
  perMinute: z.number().optional(),
  isPaused: z.boolean(),
  /** Set once all tickets are sold: everybody may order again. */
  isOver: z.boolean().optional(),
  /** Fixed before the order of the draw is written, so that the same order is written again after an interruption. */
  publicValue: z.string().optional(),
  /** Where the public value comes from: the chain and the block; absent for an empty one. */
  block: z.object({ chainId: z.number(), number: z.number() }).optional(),
  /** Set once the draw is written. */
  draw: z.object({ count: z.number(), pages: z.number() }).optional(),
  /** Ascending by time; empty before the draw. */
  rates: z.array(rate),
  /** For optimistic locking. */
  version: z.number(),
});
export type QueueState = z.infer<typeof queueState>;

/** An event with its queue, as far as the queue needs it. */
export interface QueuedEvent {
  id: string;
  queue: z.infer<typeof queueTerms> | null;
  queueState?: QueueState | undefined;
}

/** The admissions a minute of an automatic rate: at first, at least and at most. */
export const automaticRate = { first: 3_000, floor: 600, ceiling: 6_000 } as const;

/** The highest number of admissions a minute that an organizer can choose. */
export const maximumPerMinute = 60_000;

const minuteMilliseconds = 60_000;

/**
 * Returns the id of a user's place. It is the same for every call, so a user has one place, and without the queue's
 * random key it says nothing about the user.
 */
export function placeIdOf({ placeKey }: Pick<QueueState, 'placeKey'>, userId: string): string {
  const digest = createHmac('sha256', Buffer.from(placeKey, 'hex')).update(userId).digest();
  return digest.subarray(0, 16).toString('base64url');
}

/** Returns whether orders need an admitted place. */
export function isQueued({ queue, queueState }: QueuedEvent, now: number): boolean {
  return queue !== null && !queueState?.isOver && now < Date.parse(queue.until);
}

export const queuePhases = ['closed', 'open', 'admitting', 'paused', 'over'] as const;
export type QueuePhase = (typeof queuePhases)[number];

export function phaseOf(event: QueuedEvent, now: number): QueuePhase {
  if (!isQueued(event, now)) return 'over';
  if (now < Date.parse(event.queue?.opensAt ?? '')) return 'closed';
  if (!event.queueState?.draw) return 'open';
  return event.queueState.isPaused ? 'paused' : 'admitting';
}

const admittedBy = ({ at, upTo, perMinute, limit }: Rate, now: number) =>
  Math.max(upTo, Math.min(limit, Math.floor(upTo + ((now - at) * perMinute) / minuteMilliseconds)));

/** Returns the highest admitted number; 0 for none. @param rates ascending by time */
export function admittedUpTo(rates: readonly Rate[], now: number): number {
  const current = rates.findLast(({ at }) => at <= now);
  return current ? admittedBy(current, now) : 0;
}

/** Returns when a number was admitted (epoch milliseconds); undefined while it was not. */
export function admittedAt(rates: readonly Rate[], number: number, now: number): number | undefined {
  for (const [index, current] of rates.entries()) {
    if (current.at > now) return undefined;
    if (number <= current.upTo) return current.at;
    const end = Math.min(rates[index + 1]?.at ?? now, now);
    if (number > admittedBy(current, end)) continue;
    return Math.ceil(current.at + ((number - current.upTo) * minuteMilliseconds) / current.perMinute);
  }
  return undefined;
}

/** Returns the admissions a minute at a time, without those of a pause. */
export function perMinuteOf({ rates, perMinute }: QueueState): number {
  return perMinute ?? rates.findLast((past) => past.perMinute > 0)?.perMinute ?? automaticRate.first;
}

/**
 * Returns the state with another rate from now on. Rates that no turn depends on any more are dropped.
 * @param people the highest number that anybody has; a minute's admissions more are let in before it is counted again
 */
export function changeRate(
  state: QueueState,
  { perMinute, people, turnMilliseconds, now }: RateChange,
): QueueState {
  const current = state.rates.at(-1);
  const at = Math.max(now, current?.at ?? 0);
  const upTo = current ? admittedBy(current, at) : 0;
  const limit = Math.max(people, upTo) + perMinute;
  const oldest = state.rates.findLastIndex((past) => past.at <= now - turnMilliseconds);
  const rates = state.rates.slice(Math.max(0, oldest)).filter((past) => past.at < at);
  return { ...state, rates: [...rates, { at, upTo, perMinute: state.isPaused ? 0 : perMinute, limit }] };
}

interface RateChange {
  perMinute: number;
  people: number;
  turnMilliseconds: number;
  /** Epoch milliseconds. */
  now: number;
}

/** What happened in the last minute. Each person counts once. */
export interface LastMinute {
  /** People who were admitted. */
  admitted: number;
  /** People with a new order. */
  ordered: number;
  /** People whose order was refused because of too many conflicts, or because the table was not available. */
  refused: number;
  isProviderFailing: boolean;
}

/**
 * Returns the next automatic rate, between a floor and a ceiling: half while a payment provider fails or many people were
 * refused; a quarter more when many people ordered, and at least a quarter of those admitted; else the same. Many are more
 * than 5% of a minute's admissions, so that nobody can raise or lower the rate alone.
 */
export function nextAutomaticRate(
  perMinute: number,
  { admitted, ordered, refused, isProviderFailing }: LastMinute,
): number {
  const isMany = (people: number) => people > perMinute * 0.05;
  const isTooFast = isProviderFailing || isMany(refused);
  const isUsed = isMany(ordered) && ordered >= admitted / 4;
  const next = Math.round(perMinute * (isTooFast ? 0.5 : isUsed ? 1.25 : 1));
  return Math.min(automaticRate.ceiling, Math.max(automaticRate.floor, next));
}

/** A user's place. */
export interface Place {
  id: string;
  /** Absent before the draw. */
  number?: number | undefined;
  /** When it got its number (epoch milliseconds), for a place that joined after the draw. */
  joinedAt?: number | undefined;
}

/** Whether a place waits, may order, or could have; and until when it may (epoch milliseconds). */
export type Turn = { state: 'waiting' } | { state: 'admitted' | 'over'; until: number };

/** Returns whether it is a place's turn. @param turnMilliseconds how long a turn lasts */
export function turnOf(
  { queueState }: QueuedEvent,
  { number, joinedAt = 0 }: Pick<Place, 'number' | 'joinedAt'>,
  turnMilliseconds: number,
  now: number,
): Turn {
  const at =
    number === undefined || !queueState?.draw ? undefined : admittedAt(queueState.rates, number, now);
  if (at === undefined) return { state: 'waiting' };
  const until = Math.max(at, joinedAt) + turnMilliseconds;
  return { state: now < until ? 'admitted' : 'over', until };
}

/** Returns in how many seconds a number is admitted at the present rate; undefined while nobody knows. */
export function estimateSeconds(
  { queueState }: QueuedEvent,
  number: number,
  now: number,
): number | undefined {
  if (!queueState?.draw || queueState.isPaused) return undefined;
  const ahead = Math.max(0, number - admittedUpTo(queueState.rates, now));
  return Math.ceil((ahead * 60) / perMinuteOf(queueState));
}
