import * as z from 'zod';

/** A list of an event's check-in: a gate, a day or an area, with its own rule about who comes in how often. */
export const checkInList = z
  .object({
    id: z.string(),
    name: z.string(),
    tierIds: z.array(z.string()).meta({ description: 'The tiers that are admitted; empty for all' }),
    allowExit: z
      .boolean()
      .meta({ description: 'Whether people who go out, and are scanned then, come in again' }),
    oncePer: z.enum(['event', 'day']).meta({
      description: 'How often a ticket is admitted: once, or once a day in the event’s time zone',
    }),
  })
  .meta({ id: 'CheckInList' });
export type CheckInList = z.infer<typeof checkInList>;

/** The maximum number of lists of an event. */
export const maximumCheckInLists = 20;

/** Returns whether tickets of a tier are admitted by a list. */
export function isOnList({ tierIds }: CheckInList, tierId: string): boolean {
  return tierIds.length === 0 || tierIds.includes(tierId);
}

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns the day of a time in a time zone. */
export function dayOf(time: string, timeZone: string): string {
  const format = dayFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  dayFormats.set(timeZone, format);
  return format.format(new Date(time));
}
