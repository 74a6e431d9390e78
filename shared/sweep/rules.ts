/** Budgets of a sweep. Pure: what is due and handed over is in due-work.ts and sweep-due.ts. */

const minute = 60_000;

interface Kind {
  /** Items handed over in one sweep. Above what the workers do in a minute, so that it only caps a flood. */
  perSweep: number;
  /** Of these, for one owner: what shares the kind's workers fairly. */
  perOwner: number;
  /** Milliseconds that an item is left to the worker, at least and at most: it grows with the item's age. */
  lease: { least: number; most: number };
}

/** What can be due. The owner is mostly the organizer; due-work.ts says which. */
export const kinds = {
  /** Holds that end. No owner is held back: the seats belong to the sale, and turns are taken all the same. */
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

/** Items of a kind and an owner that need a provider which is left alone at present: a few, to see whether it is back. */
export const perOpenProvider = 5;

/** How an item counts. */
export interface Claim {
  kind: DueKind;
  owner: string;
  /** The provider that has to be called, where it is left alone at present. */
  openProvider?: string;
}

/**
 * Chooses what a sweep hands over. Within a kind the owners take turns, so that one with few items does not wait
 * behind one with many; the rest stays due.
 */
export function choose<Item extends Claim>(due: readonly Item[]): Item[] {
  return [...Map.groupBy(due, ({ kind }) => kind)].flatMap(([kind, items]) => {
    const { perSweep, perOwner } = kinds[kind];
    const asked = new Map<string, number>();
    const mayAsk = ({ openProvider }: Item) => {
      if (openProvider === undefined) return true;
      const count = (asked.get(openProvider) ?? 0) + 1;
      asked.set(openProvider, count);
      return count <= perOpenProvider;
    };
    const owners = [...Map.groupBy(items.filter(mayAsk), ({ owner }) => owner).values()];
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
 * Returns until when an item is left to its worker (epoch milliseconds). Doubles with each hand-over that changes
 * nothing, since the item's age then has about doubled.
 * @param since when the item last changed, or its hold ended (epoch milliseconds)
 */
export function leaseUntil(kind: DueKind, since: number, from: number): number {
  const { least, most } = kinds[kind].lease;
  return from + Math.min(most, Math.max(least, from - since));
}
