import { type CheckInList, type Event, tierNameOf } from '../../catalog/events/event.ts';
import { dayOf } from '../../core/day.ts';
import { conflict, type DomainError, invalid } from '../../core/errors.ts';
import type { Admission, Seat } from '../ticket.ts';

/** A scan at the door: somebody comes in or goes out. */
export interface Scan extends Pick<Admission, 'scanId' | 'deviceId'> {
  /** The list that the door admits by; absent at an event without lists. */
  list?: CheckInList | undefined;
  direction: 'entry' | 'exit';
  /** ISO 8601 in UTC. */
  at: string;
  /** The user who scanned. */
  by: string;
}

/**
 * Returns the check-in list of a door; undefined for an event without lists.
 * @throws DomainError 400 for an unknown list, and without one at an event that has lists
 */
export function findList({ checkInLists }: Event, listId: string | undefined): CheckInList | undefined {
  if (listId === undefined && checkInLists.length === 0) return undefined;
  const list = checkInLists.find(({ id }) => id === listId);
  if (!list) throw invalid('listId must be one of the event’s check-in lists');
  return list;
}

/** Returns the last admission of a seat by a list, or its admission at an event without lists. */
export function lastAdmission(seat: Seat, list: CheckInList | undefined): Admission | undefined {
  if (list) return seat.lists?.[list.id];
  const { checkedInAt, checkedInBy = '' } = seat;
  return checkedInAt === undefined ? undefined : { ...seat, checkedInAt, checkedInBy };
}

/** An admission, and the id of the list that admitted. */
export type ListedAdmission = Admission & { listId?: string };

/** Returns the newest admission of a seat by any list; undefined before the first. */
export function newestAdmission(seat: Seat): ListedAdmission | undefined {
  const [newest] = Object.entries(seat.lists ?? {})
    .map(([listId, admission]) => ({ ...admission, listId }))
    .sort((one, other) => (one.checkedInAt < other.checkedInAt ? 1 : -1));
  return newest ?? lastAdmission(seat, undefined);
}

/**
 * Returns the admission that keeps a seat from being admitted by a list at a time; undefined when it can come in. Somebody
 * who has gone out since was inside at that time.
 */
export function barringAdmission(
  seat: Seat,
  { list, at }: Pick<Scan, 'list' | 'at'>,
  { timezone }: Pick<Event, 'timezone'>,
): Admission | undefined {
  const last = lastAdmission(seat, list);
  if (!last) return undefined;
  if (last.outAt !== undefined) return last.checkedInAt <= at && at < last.outAt ? last : undefined;
  const isAnotherDay = list?.oncePer === 'day' && dayOf(last.checkedInAt, timezone) !== dayOf(at, timezone);
  return isAnotherDay ? undefined : last;
}

/** Returns why a seat of a tier can't come in or go out; undefined when it can. */
export function passageError(seat: Seat, tierId: string, scan: Scan, event: Event): DomainError | undefined {
  const { list, direction } = scan;
  if (list && !isOnList(list, tierId)) {
    const lists = event.checkInLists.filter((other) => isOnList(other, tierId)).map(({ name }) => name);
    const tierName = tierNameOf(event, { tierId });
    return conflict(
      'wrong-list',
      `${tierName} is not admitted here, but at: ${lists.join(', ') || 'no list'}`,
    );
  }
  const barring = barringAdmission(seat, scan, event);
  if (direction === 'entry')
    return barring && conflict('already-checked-in', `Checked in already at ${barring.checkedInAt}`);
  if (!list?.allowExit) return invalid('The list does not let people out and in again');
  return barring && barring.outAt === undefined
    ? undefined
    : conflict('not-inside', 'The ticket was not admitted here, or has gone out');
}

/** Returns whether somebody comes in who was admitted by the list on the same day, and has gone out. */
export function comesBack({ list, at }: Scan, seat: Seat, { timezone }: Pick<Event, 'timezone'>): boolean {
  const last = lastAdmission(seat, list);
  return last?.outAt !== undefined && dayOf(last.checkedInAt, timezone) === dayOf(at, timezone);
}

/** Returns whether a scan repeats the one that was carried out last, after its answer was lost. */
export function isRepetition({ list, direction, scanId, by }: Scan, seat: Seat): boolean {
  const last = lastAdmission(seat, list);
  if (!last || scanId === undefined) return false;
  if (direction === 'exit') return last.outScanId === scanId;
  return last.scanId === scanId && last.checkedInBy === by;
}

/** Returns the admission that a scan stores. */
export function carryOut(
  { list, direction, at, by, scanId, deviceId }: Scan,
  seat: Seat,
  chainChecked: boolean | undefined,
): Admission {
  const last = lastAdmission(seat, list);
  return direction === 'exit' && last
    ? { ...last, outAt: at, outScanId: scanId }
    : { checkedInAt: at, checkedInBy: by, scanId, deviceId, chainChecked };
}

/** Returns whether tickets of a tier are admitted by a list. */
function isOnList({ tierIds }: CheckInList, tierId: string): boolean {
  return tierIds.length === 0 || tierIds.includes(tierId);
}
