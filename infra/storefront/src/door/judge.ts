import type { Door, DoorSeat } from 'boxoffice-client';
import { timeFormat } from '../format.ts';

/** What a device decides about a code without network. */
export type Verdict =
  /** It may come in; the service has not confirmed it. */
  | { kind: 'admit'; seat: DoorSeat; hash: string }
  /** Out again, at a list that allows it. */
  | { kind: 'out'; seat: DoorSeat; hash: string }
  /** The list does not have it: it may have been bought, or handed over, after the list was loaded. */
  | { kind: 'ask'; seat: string; hash: string }
  | {
      kind: 'refuse';
      reason: 'invalid' | 'refunded' | 'transferred' | 'admitted' | 'not-inside';
      seat?: DoorSeat;
      admittedAt?: string;
    }
  | { kind: 'refuse'; reason: 'wrong-list'; seat: DoorSeat; lists: string[] };

/** What a device knows about a door and a code. */
export interface Known {
  event: Door['event'];
  listId: string | undefined;
  direction: 'entry' | 'exit';
  /** The seat that the code names, as the list has it. */
  seat: DoorSeat | undefined;
  /** The scans of the seat that the service does not have yet, in their order. */
  scans: readonly { at: string; direction: 'entry' | 'exit' }[];
  hash: string;
  now: Date;
}

const format = /^(\w{1,64}\.[1-9]\d{0,7})\.v2-(\d{1,6})\.[\w-]+$/;

/** Returns the seat that a code names, and how often it had been transferred; undefined for another text. */
export function parseCode(code: string): { seat: string; transfers: number } | undefined {
  const [, seat, transfers] = format.exec(code.trim()) ?? [];
  return seat === undefined ? undefined : { seat, transfers: Number(transfers) };
}

/** Returns the hash by which the list knows a code. */
export async function hashCode(code: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code.trim()));
  const text = btoa(String.fromCharCode(...new Uint8Array(digest, 0, 16)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Decides about a code by what the device knows. */
export function judge(code: string, known: Known): Verdict {
  const parsed = parseCode(code);
  if (!parsed) return { kind: 'refuse', reason: 'invalid' };
  const { event, listId, seat, scans, hash, direction } = known;
  if (!seat) return { kind: 'ask', seat: parsed.seat, hash };
  if (seat.status === 'refunded') return { kind: 'refuse', reason: 'refunded', seat };
  if (seat.hash !== hash && !seat.otherHashes?.includes(hash)) {
    if (seat.status === 'transferred') return { kind: 'refuse', reason: 'transferred', seat };
    // The code of a first holder that does not match is forged; a later one may be newer than the list.
    return parsed.transfers === 0
      ? { kind: 'refuse', reason: 'invalid' }
      : { kind: 'ask', seat: parsed.seat, hash };
  }
  const list = event.checkInLists.find(({ id }) => id === listId);
  if (list && list.tierIds.length > 0 && !list.tierIds.includes(seat.tierId)) {
    const admits = ({ tierIds }: typeof list) => tierIds.length === 0 || tierIds.includes(seat.tierId);
    const lists = event.checkInLists.filter(admits).map(({ name }) => name);
    return { kind: 'refuse', reason: 'wrong-list', seat, lists };
  }
  const last = scans.at(-1);
  const lastEntry = last ? (last.direction === 'entry' ? last.at : null) : seat.admittedAt;
  const isAnotherDay =
    list?.oncePer === 'day' &&
    lastEntry !== null &&
    dayOf(new Date(lastEntry), event.timezone) !== dayOf(known.now, event.timezone);
  const isInside = lastEntry !== null && !isAnotherDay;
  if (direction === 'exit')
    return isInside ? { kind: 'out', seat, hash } : { kind: 'refuse', reason: 'not-inside', seat };
  return isInside
    ? { kind: 'refuse', reason: 'admitted', seat, admittedAt: lastEntry }
    : { kind: 'admit', seat, hash };
}

const dayOf = (time: Date, timeZone: string) => timeFormat({ timeZone, dateStyle: 'short' }).format(time);
