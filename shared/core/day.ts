const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns the day of a time in a time zone, `YYYY-MM-DD`. @param timeZone IANA name */
export function dayOf(time: string, timeZone: string): string {
  const format = dayFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  dayFormats.set(timeZone, format);
  return format.format(new Date(time));
}
