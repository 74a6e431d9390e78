import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { contractStatusOf, type ObservedContract } from '../../../shared/catalog/contracts/contract.ts';
import { toCalendarFile } from '../../../shared/catalog/events/calendar.ts';
import {
  type Event,
  earningsUnlockAt,
  removeHiddenTiers,
  returnsEndAt,
  type Tier,
} from '../../../shared/catalog/events/event.ts';
import { toEventView } from '../../../shared/catalog/events/event-view.ts';
import { toEventSummary } from '../../../shared/catalog/events/summary-view.ts';
import { eventPool } from '../../../shared/catalog/inventory/inventory.ts';
import type { Currency } from '../../../shared/core/money.ts';
import type { PostedOrder } from '../../../shared/money/ledger/ledger.ts';
import { buildEvent, twoTiers } from './event-fixtures.ts';

const event = buildEvent(twoTiers);
const [a, b] = event.tiers.map(({ id }) => id) as [string, string];

describe('the earnings of an event', () => {
  it('are unlocked at its latest end or some days later, and those of a draft not before it is published again', () => {
    const end = Date.parse('2027-05-01T22:00:00Z');
    const ended = buildEvent({ endDate: new Date(end).toISOString(), saleEnd: new Date(end).toISOString() });
    expect(earningsUnlockAt(ended, end + 1)).toBe(end);
    expect(earningsUnlockAt(ended, end + 1, 3)).toBe(end + 3 * 24 * 60 * 60 * 1000);
    const draft = { ...ended, status: 'DRAFT' } as const;
    expect(earningsUnlockAt(draft, end + 1)).toBe(end + 1 + 24 * 60 * 60 * 1000);
    expect(earningsUnlockAt({ ...draft, latestEnd: '2027-09-01T00:00:00Z' }, end + 1)).toBe(
      Date.parse('2027-09-01T00:00:00Z'),
    );
  });
});

test('returns end with the event at the latest, also when it was moved to an earlier date', () => {
  const end = '2027-05-01T22:00:00.000Z';
  const later = '2027-09-01T00:00:00.000Z';
  const ended = buildEvent({ endDate: end, saleEnd: end });
  const until = (until: string) => ({ until, feePercent: 0, mode: 'always' as const });
  expect(returnsEndAt(until('2027-04-01T00:00:00.000Z'), ended)).toBe('2027-04-01T00:00:00.000Z');
  expect(returnsEndAt(until(later), ended)).toBe(end);
  expect(returnsEndAt(until(later), { ...ended, latestEnd: '2027-06-01T00:00:00.000Z' })).toBe(
    '2027-06-01T00:00:00.000Z',
  );
  const paidOut = { ...ended, endDate: later, earningsUnlockedAt: '2027-05-04T22:00:00.000Z' };
  expect(returnsEndAt(until(later), paidOut)).toBe('2027-05-04T22:00:00.000Z');
});

describe('toEventView', () => {
  it('returns the available tickets of each tier', () => {
    const view = toEventView(
      event,
      new Map([
        [a, 12],
        [b, 3],
      ]),
      'none',
    );
    expect(view.tiers.map(({ available }) => available)).toEqual([12, 3]);
  });

  it('limits the available tickets of a tier to those of the event', () => {
    const view = toEventView(
      event,
      new Map([
        [a, 12],
        [b, 3],
        [eventPool, 5],
      ]),
      'none',
    );
    expect(view.tiers.map(({ available }) => available)).toEqual([5, 3]);
  });
});

function sold(
  tierId: string,
  quantity: number,
  net: bigint,
  fee: bigint,
  currency: Currency = 'USD',
): PostedOrder {
  const at = '2031-05-01T12:00:00.000Z';
  return { orderId: `${tierId} ${quantity}`, items: [{ tierId, quantity, net, fee }], currency, at };
}

describe('toEventSummary', () => {
  it('sums up the orders of each tier and of the event', () => {
    const freeTickets = new Map([
      [a, 20],
      [b, 20],
    ]);
    const orders = [sold(a, 4, 2000n, 50n), sold(a, 2, 1000n, 25n), sold(a, -2, -1000n, -25n)];
    expect(toEventSummary(event, freeTickets, orders)).toEqual({
      eventId: event.id,
      currency: 'USD',
      sold: 4,
      held: 6,
      available: 40,
      gross: 20.5,
      fee: 0.5,
      net: 20,
      discount: 0,
      ordersPaid: 2,
      tiers: [
        {
          tierId: a,
          name: 'A',
          kind: 'ticket',
          sold: 4,
          held: 6,
          available: 20,
          gross: 20.5,
          fee: 0.5,
          net: 20,
          discount: 0,
        },
        {
          tierId: b,
          name: 'B',
          kind: 'ticket',
          sold: 0,
          held: 0,
          available: 20,
          gross: 0,
          fee: 0,
          net: 0,
          discount: 0,
        },
      ],
      days: [{ date: '2031-05-01', tiers: [{ tierId: a, sold: 6, refunded: 2 }] }],
      codes: [],
      otherCurrencies: [],
    });
  });

  it('counts the tickets of each day in the time zone of the event', () => {
    const at = (time: string, ...order: Parameters<typeof sold>) => ({ ...sold(...order), at: time });
    const orders = [
      at('2031-05-03T02:00:00Z', a, 1, 500n, 13n),
      at('2031-05-03T05:00:00Z', a, -1, -500n, -13n),
      at('2031-05-01T12:00:00Z', b, 2, 500n, 13n),
      at('2031-05-02T23:00:00Z', a, 3, 500n, 13n, 'GHS'),
    ];
    const { days } = toEventSummary({ ...event, timezone: 'America/New_York' }, new Map(), orders);
    expect(days).toEqual([
      { date: '2031-05-01', tiers: [{ tierId: b, sold: 2, refunded: 0 }] },
      { date: '2031-05-02', tiers: [{ tierId: a, sold: 4, refunded: 0 }] },
      { date: '2031-05-03', tiers: [{ tierId: a, sold: 0, refunded: 1 }] },
    ]);
  });

  it('lists amounts of another currency separately', () => {
    const freeTickets = new Map([
      [a, 20],
      [b, 20],
    ]);
    const refunded = [sold(a, 3, 900n, 23n, 'GHS'), sold(a, -3, -900n, -23n, 'GHS')];
    const orders = [sold(a, 4, 2000n, 50n), sold(b, 2, 500_000n, 12_500n, 'NGN'), ...refunded];
    const summary = toEventSummary(event, freeTickets, orders);
    expect(summary).toMatchObject({ sold: 6, gross: 20.5, fee: 0.5, net: 20 });
    expect(summary.tiers[1]).toMatchObject({ sold: 2, gross: 0, fee: 0, net: 0 });
    expect(summary.otherCurrencies).toEqual([
      { currency: 'NGN', sold: 2, gross: 5125, fee: 125, net: 5000, discount: 0 },
    ]);
  });

  it('limits the available tickets of a tier to those of the event', () => {
    const freeTickets = new Map([
      [a, 20],
      [b, 5],
      [eventPool, 12],
    ]);
    const { available, tiers } = toEventSummary(event, freeTickets, []);
    expect([available, ...tiers.map((tier) => tier.available)]).toEqual([12, 12, 5]);
  });

  it('never reports negative holds when the inventory was read before a sale', () => {
    const freeTickets = new Map([
      [a, 30],
      [b, 20],
    ]);
    expect(toEventSummary(event, freeTickets, [sold(a, 1, 500n, 13n)]).tiers[0]).toMatchObject({
      sold: 1,
      held: 0,
    });
  });
});

describe('hiding tiers', () => {
  const hiddenEvent = { ...event, tiers: event.tiers.map((tier) => ({ ...tier, hidden: true })) };

  it('does not change an event without hidden tiers', () => {
    expect(removeHiddenTiers(event)).toEqual(event);
  });

  it('sets the price to zero when all tiers are hidden', () => {
    expect(removeHiddenTiers(hiddenEvent)).toMatchObject({ tiers: [], ticketPrice: 0n });
  });

  it('hides the questions that only their buyers are asked', () => {
    const [first, second] = event.tiers as [Tier, Tier];
    const question = { kind: 'text' as const, required: true, options: [], per: 'ticket' as const };
    const questions = [
      { ...question, id: 'all', label: 'Food', tierIds: [] },
      { ...question, id: 'both', label: 'Shirt', tierIds: [first.id, second.id] },
      { ...question, id: 'hidden', label: 'Backstage pass', tierIds: [second.id] },
    ];
    const shown = removeHiddenTiers({ ...event, tiers: [first, { ...second, hidden: true }], questions });
    expect(shown.questions?.map(({ id, tierIds }) => [id, tierIds])).toEqual([
      ['all', []],
      ['both', [first.id]],
    ]);
  });

  it('keeps the tiers that a code reveals, and the lowest of their prices', () => {
    for (const revealed of hiddenEvent.tiers) {
      const shown = removeHiddenTiers(hiddenEvent, (tier) => tier.id === revealed.id);
      expect(shown).toMatchObject({ tiers: [revealed], ticketPrice: revealed.price });
    }
  });
});

const observe = (transfersAllowed: boolean | null): ObservedContract => ({
  chainId: 137,
  address: '0xa',
  transfersAllowed,
  observedAt: '2027-01-01T00:00:00.000Z',
});

describe('the status of an event’s contract', () => {
  it.each([
    ['authorized', true, true],
    ['authorized', false, false],
    ['mismatch', true, false],
    ['mismatch', false, true],
    ['unchecked', true, null],
  ])(
    'is `%s` when allowTransfers is %s in the event and %s on the chain',
    (status, allowTransfers, onChain) => {
      expect(contractStatusOf({ allowTransfers }, 'authorized', observe(onChain))).toBe(status);
    },
  );

  it('is the organizer’s authorization when that is not `authorized`, or the contract was not observed', () => {
    expect(contractStatusOf({ allowTransfers: true }, 'authorized', undefined)).toBe('authorized');
    expect(contractStatusOf({ allowTransfers: true }, 'unauthorized', observe(false))).toBe('unauthorized');
    expect(contractStatusOf({ allowTransfers: true }, 'unchecked', observe(false))).toBe('unchecked');
  });
});

beforeEach(() => {
  vi.stubEnv('PUBLIC_URL', 'https://tickets.example.com');
  vi.stubEnv('SHOP_NAME', 'Old Station');
});
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
        'PRODID:-//Old Station//Old Station//EN',
        `URL;VALUE=URI:https://tickets.example.com/events/${event.id}`,
      ]),
    );
  });

  it('has a higher number after a change, and withdraws the entry of a cancelled event', () => {
    const read = (changes: Partial<Event> = {}) => linesOf(toCalendarFile({ ...event, ...changes }));
    expect(read()).toEqual(expect.arrayContaining(['METHOD:PUBLISH', 'SEQUENCE:0']));
    expect(read({ updatedAt: '2027-01-02T12:00:00.500Z' })).toContain('SEQUENCE:86400');
    expect(read({ status: 'CANCELLED' })).toEqual(
      expect.arrayContaining(['METHOD:CANCEL', 'STATUS:CANCELLED']),
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
