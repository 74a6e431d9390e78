import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toCalendarFile } from '../../../shared/events/calendar.ts';
import { eventOf } from './given.ts';

beforeEach(() => vi.stubEnv('PUBLIC_URL', 'https://tickets.example.com'));
afterEach(() => vi.unstubAllEnvs());

/** The lines of a file, unfolded. */
const linesOf = (file: string) => file.replaceAll('\r\n ', '').split('\r\n');

describe('a calendar file', () => {
  it('has the times in UTC, and where and what it is', () => {
    const event = eventOf({
      title: 'Jazz',
      venue: 'Club',
      address: '1 Marina',
      city: 'Lagos',
      country: 'Nigeria',
      latitude: 6.45,
      longitude: 3.39,
      timezone: 'Africa/Lagos',
      startDate: '2027-05-01T19:00:00+01:00',
      endDate: '2027-05-01T23:30:00+01:00',
    });
    const lines = linesOf(toCalendarFile(event));
    expect(lines[0]).toBe('BEGIN:VCALENDAR');
    expect(lines).toEqual(
      expect.arrayContaining([
        `UID:${event.id}@boxoffice`,
        'DTSTART:20270501T180000Z',
        'DTEND:20270501T223000Z',
        'SUMMARY:Jazz',
        'LOCATION:Club\\, 1 Marina\\, Lagos\\, Nigeria',
        'GEO:6.45;3.39',
        'STATUS:CONFIRMED',
        'X-WR-TIMEZONE:Africa/Lagos',
        `URL;VALUE=URI:https://tickets.example.com/events/${event.id}`,
      ]),
    );
  });

  it('contains no line that an organizer’s text begins', () => {
    const lines = linesOf(
      toCalendarFile(
        eventOf({
          title: 'Jazz\r\nBEGIN:VALARM',
          venue: 'Club\nATTACH:https://elsewhere.example',
          description: 'one\rATTENDEE:mailto:ann@example.com\r\n END:VEVENT; two, three\\',
        }),
      ),
    );
    expect(lines.filter((line) => /^\s*(BEGIN:VALARM|ATTACH|ATTENDEE)/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.trim() === 'END:VEVENT')).toHaveLength(1);
    expect(lines).toContain('SUMMARY:Jazz\\nBEGIN:VALARM');
  });

  it('replaces an earlier file of the event, and says that it is cancelled', () => {
    const event = eventOf();
    const later = { ...event, status: 'CANCELLED' as const, updatedAt: '2027-02-01T00:00:00.000Z' };
    const [first, second] = [linesOf(toCalendarFile(event)), linesOf(toCalendarFile(later))];
    const uidOf = (lines: string[]) => lines.find((line) => line.startsWith('UID:'));
    expect(uidOf(second)).toBe(uidOf(first));
    expect(first).toContain('DTSTAMP:20270101T120000Z');
    expect(second).toEqual(expect.arrayContaining(['DTSTAMP:20270201T000000Z', 'STATUS:CANCELLED']));
  });

  it('has no end where none after the start is known', () => {
    const { endDate, ...event } = eventOf();
    const lines = linesOf(toCalendarFile({ ...event, saleEnd: event.saleStart }));
    expect(lines.filter((line) => line.startsWith('DTEND'))).toEqual([]);
  });
});
