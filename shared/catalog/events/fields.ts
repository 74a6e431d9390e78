import * as z from 'zod';
import { invalid } from '../../core/errors.ts';
import { maximumPerMinute } from '../queue/queue.ts';

/** The number of tickets of a tier or an event. */
export const quantity = z.number().int().min(0).max(10_000_000);

/** The maximum number of tickets of one user. */
export const maximumPerPerson = z.number().int().min(1).max(10_000_000);

/** How many people a queue admits a minute. */
export const queuePerMinute = z.int().min(1).max(maximumPerMinute);

/** How many of an add-on an order may have for each of its tickets. */
export const perTicket = z.number().int().min(1).max(100);

/** A tax in percent, with at most two decimals. */
export const taxPercent = z.number().min(0).max(100).multipleOf(0.01);

/** A price in major units, with as many decimals as its currency allows. */
export const price = z.number().min(0).max(1_000_000_000);

/** Creates a schema for degrees. It rounds tiny values to zero, since the table can't store numbers below 1e-130. */
const degrees = (limit: number) =>
  z
    .number()
    .min(-limit)
    .max(limit)
    .overwrite((value) => (Math.abs(value) < 1e-9 ? 0 : value));
export const latitude = degrees(90);
export const longitude = degrees(180);
export const chainId = z
  .number()
  .int()
  .min(1)
  .meta({ description: 'The EIP-155 id of a chain: 137 is Polygon', examples: [137] });

/** The URL of an image or of the tickets' metadata. */
export const resourceUrl = z
  .string()
  .max(2000)
  .meta({ description: 'An http, https or ipfs address' })
  .refine(
    (value) => /^(https?|ipfs):\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value),
    'must be an http, https or ipfs address',
  );

/**
 * The IANA name of a time zone, such as Europe/Berlin. Neither an offset nor an abbreviation is one: browsers know only some of
 * those that the service does.
 */
export const timezone = z
  .string()
  .max(100)
  .meta({
    description: 'The IANA name of the time zone in which the event’s times are shown',
    examples: ['Africa/Lagos'],
  })
  .refine((value) => zonePattern.test(value) && isTimeZone(value), 'must be an IANA time zone');

/**
 * An ISO 8601 date or time, converted to UTC with milliseconds and Z. Without an offset it is UTC. Years end at 9999,
 * so that times sort as text.
 */
export const timestamp = z
  .string()
  .meta({
    description: 'An ISO 8601 date or time, with any offset; UTC without an offset',
    examples: ['2030-06-01T20:00:00Z'],
  })
  .transform((value, context) => {
    const [, day = '', time = 'T00:00', offset = 'Z'] = isoTime.exec(value) ?? [];
    const date = new Date(day + time + offset);
    // Date would accept February 30th as March 2nd.
    const isDay = !Number.isNaN(date.getTime()) && new Date(day).toISOString().startsWith(day);
    if (isDay && /^\d{4}-/.test(date.toISOString())) return date.toISOString();
    context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time' });
    return z.NEVER;
  });

/** Returns a time that follows from others, ISO 8601 in UTC. @throws DomainError 400 unless its year has four digits */
export function derivedTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (!Number.isNaN(date.getTime()) && /^\d{4}-/.test(date.toISOString())) return date.toISOString();
  throw invalid('A time of the event would be after the year 9999 or before the year 0');
}

const isoTime = /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/;

const zonePattern =
  /^(UTC|GMT|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)\/.+)$/i;

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
