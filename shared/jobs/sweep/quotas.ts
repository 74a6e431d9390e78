/**
 * A sweep runs each minute and queues the work that is due. This file decides which items a sweep queues, and how long
 * a worker has for each. due-work.ts parses the items, and sweep-due.ts queues them.
 */

const minuteMilliseconds = 60_000;

interface Quota {
  /**
   * The maximum number of items that one sweep queues: more than the workers process in a minute, so it limits
   * only bursts.
   */
  perSweep: number;
  /**
   * The maximum number of items of one owner that one sweep queues, so no owner occupies all workers of the kind.
   */
  perOwner: number;
  /** The shortest and the longest lease of a worker, in milliseconds. A lease grows with the item's age. */
  lease: { minimum: number; maximum: number };
}

/** The kinds of due work. due-work.ts sets the owner of each item, mostly the organizer. */
export const quotas = {
  /**
   * Holds that end. Each one blocks seats, so `perOwner` is as high as `perSweep` and limits nobody. Owners still take
   * turns.
   */
  hold: {
    perSweep: 20_000,
    perOwner: 20_000,
    lease: { minimum: 2 * minuteMilliseconds, maximum: 15 * minuteMilliseconds },
  },
  /** Unpaid orders with a stored transaction, which is checked again. */
  crypto: {
    perSweep: 2_000,
    perOwner: 10,
    lease: { minimum: 2 * minuteMilliseconds, maximum: 15 * minuteMilliseconds },
  },
  /** Paid orders that are not posted to the ledger yet. */
  fulfil: {
    perSweep: 5_000,
    perOwner: 2_000,
    lease: { minimum: minuteMilliseconds, maximum: 4 * minuteMilliseconds },
  },
  // The lease does not grow: the mint worker checks the chain each minute.
  mint: {
    perSweep: 5_000,
    perOwner: 2_000,
    lease: { minimum: minuteMilliseconds, maximum: minuteMilliseconds },
  },
  // A cancelled event has thousands. They take the account's nonces one by one, as the mints do.
  burn: {
    perSweep: 400,
    perOwner: 100,
    lease: { minimum: 2 * minuteMilliseconds, maximum: 2 * minuteMilliseconds },
  },
  refund: {
    perSweep: 600,
    perOwner: 200,
    lease: { minimum: 5 * minuteMilliseconds, maximum: 60 * minuteMilliseconds },
  },
  payout: {
    perSweep: 300,
    perOwner: 10,
    lease: { minimum: 5 * minuteMilliseconds, maximum: 60 * minuteMilliseconds },
  },
  /** Upcoming earnings of events that have ended, which become available. */
  unlock: {
    perSweep: 600,
    perOwner: 50,
    lease: { minimum: 5 * minuteMilliseconds, maximum: 60 * minuteMilliseconds },
  },
  // SES accepts 14 mails a second, which is 840 a minute.
  mail: {
    perSweep: 1_500,
    perOwner: 500,
    lease: { minimum: 2 * minuteMilliseconds, maximum: 60 * minuteMilliseconds },
  },
  /** Webhooks to announce and to deliver. Endpoints take turns. */
  webhook: {
    perSweep: 3_000,
    perOwner: 300,
    lease: { minimum: 2 * minuteMilliseconds, maximum: 2 * minuteMilliseconds },
  },
  /**
   * Events with waiting lists, each served every minute, or in turn where there are more, and orders whose listed seats are
   * checked. The lease does not grow.
   */
  offers: {
    perSweep: 400,
    perOwner: 30,
    lease: { minimum: 2 * minuteMilliseconds, maximum: 2 * minuteMilliseconds },
  },
  /** Queues to draw and to admit from, each every minute. The lease does not grow. */
  queue: {
    perSweep: 1_000,
    perOwner: 100,
    lease: { minimum: 2 * minuteMilliseconds, maximum: 2 * minuteMilliseconds },
  },
  /** Jobs over an event's orders, checks of an event's contract, and erasures of persons. */
  eventJob: {
    perSweep: 100,
    perOwner: 5,
    lease: { minimum: 2 * minuteMilliseconds, maximum: 15 * minuteMilliseconds },
  },
} as const satisfies Record<string, Quota>;
export type DueKind = keyof typeof quotas;

/**
 * The maximum number of items of a kind that one sweep queues for a provider whose circuit breaker is open: enough to
 * notice when the provider recovers.
 */
export const probesPerProvider = 5;

/** The quotas that an item counts towards. */
export interface QuotaUse {
  kind: DueKind;
  owner: string;
  /** The provider that the item's worker calls; only while the provider's circuit breaker is open. */
  failingProvider?: string;
}

/**
 * Chooses the items that a sweep queues. The owners of a kind take turns, so an owner with few items does not wait
 * behind an owner with many. Other items stay due.
 */
export function chooseDueWork<Item extends QuotaUse>(dueItems: readonly Item[]): Item[] {
  return [...Map.groupBy(dueItems, ({ kind }) => kind)].flatMap(([kind, items]) => {
    const { perSweep, perOwner } = quotas[kind];
    const owners = [...Map.groupBy(items, ({ owner }) => owner).values()];
    // Limits each owner's probes first, so calls to a failing provider do not use up the owner's quota.
    const queues = owners.map((itemsOfOwner) => limitProbes(itemsOfOwner).slice(0, perOwner));
    return limitProbes(interleave(queues, items.length)).slice(0, perSweep);
  });
}

/** Keeps only the first few items of each failing provider. */
function limitProbes<Item extends QuotaUse>(items: readonly Item[]): Item[] {
  const probes = new Map<string, number>();
  return items.filter(({ failingProvider }) => {
    if (failingProvider === undefined) return true;
    const count = (probes.get(failingProvider) ?? 0) + 1;
    probes.set(failingProvider, count);
    return count <= probesPerProvider;
  });
}

function interleave<Item>(queues: readonly Item[][], maximum: number): Item[] {
  const chosenItems: Item[] = [];
  let remainingQueues = queues;
  for (let turn = 0; remainingQueues.length > 0 && chosenItems.length < maximum; turn++) {
    for (const queue of remainingQueues) chosenItems.push(queue[turn] as Item);
    remainingQueues = remainingQueues.filter((queue) => queue.length > turn + 1);
  }
  return chosenItems.slice(0, maximum);
}

/**
 * Returns when a worker's lease of an item ends (epoch milliseconds). The lease is as long as the item's age, within
 * the kind's bounds. So after an attempt that does not change the item, the next lease is about twice as long.
 * @param since when the item last changed, or its hold ended (epoch milliseconds)
 */
export function leaseEndsAt(kind: DueKind, since: number, now: number): number {
  const { minimum, maximum } = quotas[kind].lease;
  return now + Math.min(maximum, Math.max(minimum, now - since));
}
