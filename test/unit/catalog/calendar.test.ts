import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toCalendarFile } from '../../../shared/catalog/events/calendar.ts';
import { buildEvent } from './event-fixtures.ts';

beforeEach(() => vi.stubEnv('PUBLIC_URL', 'https://tickets.example.com'));
afterEach(() => vi.unstubAllEnvs());

/** Unfolds a file and returns its lines. */
const linesOf = (file: string) => file.replaceAll('\r\n ', '').split('\r\n');

describe('a calendar file', () => {
  it('has the event’s times in UTC, title, place and address', () => {
    const event = buildEvent({
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

  it('escapes line breaks in an organizer’s text, so that they add no properties', () => {
    const lines = linesOf(
      toCalendarFile(
        buildEvent({
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

  it('has the same UID and a later DTSTAMP after a cancellation, with the status CANCELLED', () => {
    const event = buildEvent();
    const cancelled = { ...event, status: 'CANCELLED' as const, updatedAt: '2027-02-01T00:00:00.000Z' };
    const [first, second] = [linesOf(toCalendarFile(event)), linesOf(toCalendarFile(cancelled))];
    const uidOf = (lines: string[]) => lines.find((line) => line.startsWith('UID:'));
    expect(uidOf(second)).toBe(uidOf(first));
    expect(first).toContain('DTSTAMP:20270101T120000Z');
    expect(second).toEqual(expect.arrayContaining(['DTSTAMP:20270201T000000Z', 'STATUS:CANCELLED']));
  });

  it('has no end when the event ends before it starts', () => {
    const event = buildEvent();
    const lines = linesOf(toCalendarFile({ ...event, endDate: event.saleStart }));
    expect(lines.filter((line) => line.startsWith('DTEND'))).toEqual([]);
  });
});
