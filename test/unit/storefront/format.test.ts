import { afterEach, describe, expect, it, vi } from 'vitest';
import { longTime, shortTime, visitorTime } from '../../../infra/storefront/src/format.ts';

afterEach(() => vi.unstubAllEnvs());
const setVisitorZone = (zone: string) => vi.stubEnv('TZ', zone);

describe('an event’s time', () => {
  it('is formatted with a time zone, by default the visitor’s', () => {
    setVisitorZone('America/New_York');
    expect(shortTime('2031-07-01T18:30:00.000Z')).toMatch(/2:30.PM EDT$/);
    expect(shortTime('2031-07-01T18:30:00.000Z', 'UTC')).toMatch(/6:30.PM UTC$/);
    expect(longTime('2031-07-01T18:30:00.000Z', 'Europe/Berlin')).toMatch(
      /^Tuesday, July 1.*8:30.PM GMT\+2$/,
    );
  });

  it('is formatted in the visitor’s time zone only when that differs', () => {
    setVisitorZone('America/New_York');
    expect(visitorTime('2031-07-01T02:30:00.000Z', 'UTC')).toMatch(/^Mon,? 10:30.PM EDT$/);
    expect(visitorTime('2031-07-01T02:30:00.000Z', 'America/Toronto')).toBeUndefined();
  });

  it('is compared with the visitor’s time on the day of the event, since two zones may differ in summer only', () => {
    setVisitorZone('Africa/Lagos');
    expect(visitorTime('2031-01-01T12:00:00.000Z', 'Europe/Berlin')).toBeUndefined();
    expect(visitorTime('2031-07-01T12:00:00.000Z', 'Europe/Berlin')).toBeDefined();
  });
});
