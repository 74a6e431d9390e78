/** Converts between instants and the times of `datetime-local` fields, such as 2031-06-01T20:30, in a time zone. */

const day = 24 * 60 * 60 * 1000;

/** Returns the time that the clocks of a zone show at an instant. @param timeZone IANA name */
export function wallTime(instant: string | number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(instant));
  const { year, month, day, hour, minute } = Object.fromEntries(
    parts.map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/**
 * Returns the instants at which the clocks of a zone show a time, as ISO 8601 in UTC. Usually that is one instant. The
 * hour that is skipped when clocks are put forward has none; the hour that is repeated when they are put back has two.
 */
export function instantsAt(wall: string, timeZone: string): string[] {
  const inUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(inUtc)) return [];
  // No zone changes its clocks twice within two days, so one of these offsets applies.
  const offsets = [inUtc - day, inUtc + day].map((instant) => offsetAt(instant, timeZone));
  return [...new Set(offsets)]
    .map((offset) => inUtc - offset)
    .filter((instant) => wallTime(instant, timeZone) === wall)
    .sort((a, b) => a - b)
    .map((instant) => new Date(instant).toISOString());
}

/** Moves a time by as much as another one was moved. */
export function moveWallTime(wall: string, from: string, to: string): string {
  const moved = Date.parse(`${wall}Z`) + Date.parse(`${to}Z`) - Date.parse(`${from}Z`);
  return new Date(moved).toISOString().slice(0, 16);
}

/** Returns how many milliseconds a zone is ahead of UTC. `instant` is a whole minute. */
function offsetAt(instant: number, timeZone: string): number {
  return Date.parse(`${wallTime(instant, timeZone)}Z`) - instant;
}

/** Returns the time zone of the browser. */
export function visitorZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns all time zones that the browser knows, the given ones and UTC first. */
export function timeZones(...first: string[]): string[] {
  return [...new Set([...first, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
