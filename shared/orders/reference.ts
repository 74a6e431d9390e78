import { derivedId, randomCode } from '../ids.ts';

/**
 * A payment reference: `BOX`, the end of the event's id, the time in milliseconds, a random suffix. The order's
 * id is derived from it, so that a webhook finds its order by one strongly consistent read, without an index.
 */
export function newReference(eventId: string, now: number): string {
  return `BOX-${eventId.slice(-6).toUpperCase()}-${now}-${randomCode(8)}`;
}

/** The id of the order a reference belongs to; undefined for what can't be a reference of ours. */
export function orderIdOf(reference: string): string | undefined {
  const time = /^BOX-[A-Z0-9]{1,6}-(\d{13})-[A-Z0-9]{8}$/.exec(reference)?.[1];
  return time === undefined ? undefined : derivedId(reference, Number(time));
}
