import { afterEach, describe, expect, it, vi } from 'vitest';
import { longTime, shortTime, visitorTime } from '../../../infra/storefront/src/format.ts';

afterEach(() => vi.unstubAllEnvs());
const inZone = (zone: string) => vi.stubEnv('TZ', zone);

describe('a time', () => {
  it('names its zone: the visitor’s own, or the one that is asked for', () => {
    inZone('America/New_York');
    expect(shortTime('2031-07-01T18:30:00.000Z')).toMatch(/2:30.PM EDT$/);
    expect(shortTime('2031-07-01T18:30:00.000Z', 'UTC')).toMatch(/6:30.PM UTC$/);
    expect(longTime('2031-07-01T18:30:00.000Z', 'Europe/Berlin')).toMatch(
      /^Tuesday, July 1.*8:30.PM GMT\+2$/,
    );
  });

  it('is also given on the visitor’s clock where that shows another', () => {
    inZone('America/New_York');
    expect(visitorTime('2031-07-01T02:30:00.000Z', 'UTC')).toMatch(/^Mon,? 10:30.PM EDT$/);
    expect(visitorTime('2031-07-01T02:30:00.000Z', 'America/Toronto')).toBeUndefined();
  });

  it('compares the clocks on that day, since summer time begins on different days', () => {
    inZone('Africa/Lagos');
    expect(visitorTime('2031-01-01T12:00:00.000Z', 'Europe/Berlin')).toBeUndefined();
    expect(visitorTime('2031-07-01T12:00:00.000Z', 'Europe/Berlin')).toBeDefined();
  });
});
