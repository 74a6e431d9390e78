/** Quotas of a sweep: pure functions. due-work.ts reads what is due, and sweep-due.ts queues it. */

const minute = 60_000;

interface Kind {
  /** The most items that one sweep queues. It exceeds what the workers process in a minute, and limits only bursts. */
  perSweep: number;
  /** The most items of one owner. It divides the kind's workers fairly. */
  perOwner: number;
  /** The shortest and the longest lease of a worker, in milliseconds. A lease grows with the item's age. */
  lease: { least: number; most: number };
}

/** The kinds of due work. due-work.ts sets the owner of each item, mostly the organizer. */
export const kinds = {
  /** Holds that end. Owners have no quota, since each hold blocks seats; they still take turns. */
  hold: { perSweep: 20_000, perOwner: 20_000, lease: { least: 2 * minute, most: 15 * minute } },
  crypto: { perSweep: 2_000, perOwner: 10, lease: { least: 2 * minute, most: 15 * minute } },
  fulfil: { perSweep: 5_000, perOwner: 2_000, lease: { least: minute, most: 4 * minute } },
  // The mint worker checks each minute what the chain did: its messages are not spaced out.
  mint: { perSweep: 5_000, perOwner: 2_000, lease: { least: minute, most: minute } },
  refund: { perSweep: 600, perOwner: 200, lease: { least: 5 * minute, most: 60 * minute } },
  payout: { perSweep: 300, perOwner: 10, lease: { least: 5 * minute, most: 60 * minute } },
  release: { perSweep: 600, perOwner: 50, lease: { least: 5 * minute, most: 60 * minute } },
  // At 14 a second SES takes 840 a minute.
  mail: { perSweep: 1_500, perOwner: 500, lease: { least: 2 * minute, most: 60 * minute } },
  eventJob: { perSweep: 100, perOwner: 5, lease: { least: 2 * minute, most: 15 * minute } },
} as const satisfies Record<string, Kind>;
export type DueKind = keyof typeof kinds;

/** Items of one kind for each provider whose breaker is open: a few, to detect its recovery. */
export const perOpenProvider = 5;

/** The quotas that an item counts towards. */
export interface QuotaUse {
  kind: DueKind;
  owner: string;
  /** The provider that the worker has to call, when its breaker is open. */
  openProvider?: string;
}

/**
 * Chooses the items that a sweep queues. The owners of a kind take turns, so that an owner with few items does not wait
 * behind an owner with many. Other items stay due.
 */
export function choose<Item extends QuotaUse>(due: readonly Item[]): Item[] {
  return [...Map.groupBy(due, ({ kind }) => kind)].flatMap(([kind, items]) => {
    const { perSweep, perOwner } = kinds[kind];
    const calls = new Map<string, number>();
    const mayCall = ({ openProvider }: Item) => {
      if (openProvider === undefined) return true;
      const count = (calls.get(openProvider) ?? 0) + 1;
      calls.set(openProvider, count);
      return count <= perOpenProvider;
    };
    const owners = [...Map.groupBy(items.filter(mayCall), ({ owner }) => owner).values()];
    const queues = owners.map((own) => own.slice(0, perOwner));
    return takeTurns(queues, perSweep);
  });
}

function takeTurns<Item>(queues: readonly Item[][], most: number): Item[] {
  const chosen: Item[] = [];
  let waiting = queues;
  for (let turn = 0; waiting.length > 0 && chosen.length < most; turn++) {
    for (const queue of waiting) chosen.push(queue[turn] as Item);
    waiting = waiting.filter((queue) => queue.length > turn + 1);
  }
  return chosen.slice(0, most);
}

/**
 * Returns when a worker's lease of an item ends (epoch milliseconds). The lease is as long as the item's age, within
 * the kind's bounds, so it about doubles with each attempt that does not change the item.
 * @param since when the item last changed, or its hold ended (epoch milliseconds)
 */
export function leaseUntil(kind: DueKind, since: number, from: number): number {
  const { least, most } = kinds[kind].lease;
  return from + Math.min(most, Math.max(least, from - since));
}
