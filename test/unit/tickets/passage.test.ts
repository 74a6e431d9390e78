import { expect, it } from 'vitest';
import { comesBack } from '../../../shared/tickets/check-in/passage.ts';
import type { Seat } from '../../../shared/tickets/ticket.ts';

it('tells somebody who comes back from somebody who comes in for the first time, or on another day', () => {
  const list = { id: 'gate', name: 'Gate', tierIds: [], allowExit: true, oncePer: 'day' as const };
  const event = { timezone: 'Africa/Lagos' };
  const scan = { list, direction: 'entry' as const, at: '2026-06-01T22:30:00.000Z', by: 'u1' };
  const withAdmission = (outAt?: string) =>
    ({
      lists: { gate: { checkedInAt: '2026-06-01T18:00:00.000Z', checkedInBy: 'u1', outAt } },
    }) as unknown as Seat;
  const cameOut = withAdmission('2026-06-01T19:00:00.000Z');
  expect(comesBack(scan, cameOut, event)).toBe(true);
  // Midnight in Lagos is an hour earlier than in UTC.
  expect(comesBack({ ...scan, at: '2026-06-01T23:30:00.000Z' }, cameOut, event)).toBe(false);
  expect(comesBack(scan, withAdmission(), event)).toBe(false);
  expect(comesBack({ ...scan, list: { ...list, id: 'other' } }, cameOut, event)).toBe(false);
});
