import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantsAt, timeZones, wallTime } from '../../../infra/storefront/src/event-form/zoned-time.ts';

describe('a local time in a time zone', () => {
  it.each([
    ['2031-06-01T20:30', 'Africa/Lagos', '2031-06-01T19:30:00.000Z'],
    ['2031-06-01T20:30', 'Europe/Berlin', '2031-06-01T18:30:00.000Z'],
    ['2031-12-01T20:30', 'Europe/Berlin', '2031-12-01T19:30:00.000Z'],
    ['2031-06-01T00:00', 'Asia/Kathmandu', '2031-05-31T18:15:00.000Z'],
    ['2031-01-01T00:00', 'Pacific/Kiritimati', '2030-12-31T10:00:00.000Z'],
    ['2031-01-01T12:00', 'UTC', '2031-01-01T12:00:00.000Z'],
  ])('%s in %s is %s', (localTime, zone, instant) => {
    expect(instantsAt(localTime, zone)).toEqual([instant]);
    expect(wallTime(instant, zone)).toBe(localTime);
  });

  it.each([
    ['2031-03-30T02:30', 'Europe/Berlin'],
    ['2031-03-09T02:00', 'America/New_York'],
    // These clocks are put forward by half an hour.
    ['2031-10-05T02:15', 'Australia/Lord_Howe'],
  ])('%s in %s has no instant, since clocks are put forward', (localTime, zone) => {
    expect(instantsAt(localTime, zone)).toEqual([]);
  });

  it.each([
    ['2031-10-26T02:30', 'Europe/Berlin', ['2031-10-26T00:30:00.000Z', '2031-10-26T01:30:00.000Z']],
    ['2031-11-02T01:00', 'America/New_York', ['2031-11-02T05:00:00.000Z', '2031-11-02T06:00:00.000Z']],
  ])('%s in %s has two instants, since clocks are put back', (localTime, zone, instants) => {
    expect(instantsAt(localTime, zone)).toEqual(instants);
  });

  it('has one instant in the minutes before and after a clock change', () => {
    const zone = 'Europe/Berlin';
    expect(instantsAt('2031-03-30T01:59', zone)).toEqual(['2031-03-30T00:59:00.000Z']);
    expect(instantsAt('2031-03-30T03:00', zone)).toEqual(['2031-03-30T01:00:00.000Z']);
    expect(instantsAt('2031-10-26T01:59', zone)).toEqual(['2031-10-25T23:59:00.000Z']);
    expect(instantsAt('2031-10-26T03:00', zone)).toEqual(['2031-10-26T02:00:00.000Z']);
  });

  it('has the instant that it was formatted from, in every zone', () => {
    const minute = 60_000;
    const instants = fc
      .integer({ min: Date.UTC(2025, 0) / minute, max: Date.UTC(2050, 0) / minute })
      .map((minutes) => new Date(minutes * minute).toISOString());
    fc.assert(
      fc.property(instants, fc.constantFrom(...timeZones()), (instant, zone) => {
        expect(instantsAt(wallTime(instant, zone), zone)).toContain(instant);
      }),
      { numRuns: 1000 },
    );
  });

  it('has no instant when it is incomplete or invalid', () => {
    expect(instantsAt('', 'UTC')).toEqual([]);
    expect(instantsAt('2031-02-30T10:00', 'UTC')).toEqual([]);
  });
});

describe('the list of zones', () => {
  it('starts with the given zones and UTC, and has each zone once', () => {
    const zones = timeZones('Asia/Kolkata', 'Europe/Berlin');
    expect(zones.slice(0, 3)).toEqual(['Asia/Kolkata', 'Europe/Berlin', 'UTC']);
    expect(new Set(zones).size).toBe(zones.length);
    expect(zones.length).toBeGreaterThan(300);
  });
});
