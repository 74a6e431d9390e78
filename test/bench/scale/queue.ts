import { drawPages } from '../../../shared/catalog/queue/draw.ts';
import {
  admittedUpTo,
  automaticRate,
  changeRate,
  nextAutomaticRate,
  perMinuteOf,
  placeIdOf,
  type QueueState,
} from '../../../shared/catalog/queue/queue.ts';
import { drawPagesPerSecond, settlingMilliseconds } from '../../../shared/catalog/queue/store.ts';
import type { Random } from '../../support/random.ts';

/** Being first gains nothing, so people join at any time of these ten minutes. */
const joinSeconds = 600;
const turnMilliseconds = 10 * 60_000;

/** The units of a page of 500 ids, of 24 bytes each. */
const unitsOfPage = 12;
/** What a person with a turn does. */
const showsUp = 0.7;
const orderSeconds = { minimum: 20, maximum: 180 };

export interface QueueResult {
  people: number;
  /** Processor time of the draw itself. */
  drawSeconds: number;
  /** The most write units in a second while people join, and while the draw is written. */
  joinUnits: number;
  drawUnits: number;
  /** Minutes after the draw. */
  soldOutAfter: number;
  admitted: number;
  overtaken: number;
  /** Reads of the table by everybody who waits, by a CDN of so many caches, a second. */
  pollReads: number;
  /** The minutes that the browser of a buyer has to be open between the draw and the order, at the median. */
  waitMinutes: number;
}

/**
 * Simulates the queue of a sale with the service's own draw and rates: a million people join in ten minutes, and are
 * admitted at the automatic rate until all tickets are sold, one or two to an order.
 */
export function simulateQueue(people: number, tickets: number, random: Random, caches = 20): QueueResult {
  const hex = (bytes: number) =>
    Array.from({ length: bytes }, () => random.between(0, 255).toString(16).padStart(2, '0')).join('');
  let state: QueueState = { placeKey: hex(16), seed: hex(32), isPaused: false, rates: [], version: 0 };
  const joinsBySecond = new Array<number>(joinSeconds + 1).fill(0);
  const ids = Array.from({ length: people }, (_, index) => {
    const second = Math.floor(joinSeconds * random.next());
    joinsBySecond[second] = (joinsBySecond[second] ?? 0) + 1;
    return placeIdOf(state, `user-${index}`);
  });
  const before = process.cpuUsage();
  const pages = drawPages(ids, { seed: state.seed, publicValue: hex(32) });
  const drawSeconds = process.cpuUsage(before).user / 1_000_000;
  const drawn = new Set(pages.flatMap((page) => page.ids));
  if (drawn.size !== people) throw new Error(`${drawn.size} of ${people} places were drawn`);
  state = { ...state, draw: { count: people, pages: pages.length } };
  const drawUnits = drawPagesPerSecond * unitsOfPage;

  let now = settlingMilliseconds;
  state = changeRate(state, { perMinute: automaticRate.first, people, turnMilliseconds, now });
  const ends: number[] = [];
  const waits: number[] = [];
  let [admitted, free, overtaken, soldOutAfter] = [0, tickets, 0, 0];
  let [admittedBefore, ordered] = [0, 0];
  let nextChange = now + 60_000;
  while (free > 0 && admitted < people) {
    now += 1_000;
    if (now >= nextChange) {
      const lastMinute = {
        admitted: admitted - admittedBefore,
        ordered,
        refused: 0,
        isProviderFailing: false,
      };
      const perMinute = nextAutomaticRate(perMinuteOf(state), lastMinute);
      admittedBefore = admitted;
      ordered = 0;
      state = changeRate(state, { perMinute, people, turnMilliseconds, now });
      nextChange += 60_000;
    }
    const upTo = admittedUpTo(state.rates, now);
    if (upTo < admitted) overtaken++;
    for (; admitted < Math.min(upTo, people); admitted++) {
      if (random.next() > showsUp) continue;
      ends.push(now + 1_000 * random.between(orderSeconds.minimum, orderSeconds.maximum));
    }
    for (const [index, end] of ends.entries()) {
      if (end > now || free === 0) continue;
      ends[index] = Number.POSITIVE_INFINITY;
      free -= Math.min(free, random.between(1, 2));
      ordered++;
      waits.push(now / 60_000);
      soldOutAfter = now / 60_000;
    }
    if (ends.length > 20_000) ends.splice(0, ends.length, ...ends.filter(Number.isFinite));
  }
  waits.sort((one, other) => one - other);
  return {
    people,
    drawSeconds,
    joinUnits: Math.max(...joinsBySecond),
    drawUnits,
    soldOutAfter,
    admitted,
    overtaken,
    // Each cache asks once in two seconds, and reads one event.
    pollReads: caches / 2,
    waitMinutes: waits[Math.floor(waits.length / 2)] ?? 0,
  };
}
