import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashCode, judge, type Known } from '../../../infra/storefront/src/door/judge.ts';

const code = 'order.1.v2-0.signature';
const seat = {
  seat: 'order.1',
  hash: 'hash',
  tierId: 'floor',
  tier: 'Floor',
  kind: 'ticket' as const,
  attendee: 'Ada',
  reference: 'BOX',
  status: 'valid' as const,
  admittedAt: null,
};
const gate = { id: 'gate', name: 'Gate', tierIds: [], allowExit: true, oncePer: 'event' as const };
const backstage = { ...gate, id: 'backstage', name: 'Backstage', tierIds: ['vip'] };
const daily = { ...gate, id: 'daily', name: 'Daily', oncePer: 'day' as const };
const known: Known = {
  event: {
    id: 'event',
    title: 'Jazz',
    timezone: 'Europe/Berlin',
    status: 'PUBLISHED',
    endsAt: '2030-06-03T00:00:00.000Z',
    offlineMode: 'ask',
    checkInLists: [],
  },
  listId: undefined,
  direction: 'entry',
  seat,
  scans: [],
  hash: 'hash',
  now: new Date('2030-06-01T20:00:00Z'),
};
const withLists = (listId: string, fields: Partial<Known> = {}): Known => ({
  ...known,
  event: { ...known.event, checkInLists: [gate, backstage, daily] },
  listId,
  ...fields,
});
const scan = (at: string, direction: 'entry' | 'exit' = 'entry') => ({ at, direction });
const outcome = (fields: Partial<Known>, text = code) => {
  const verdict = judge(text, { ...known, ...fields });
  return verdict.kind === 'refuse' ? verdict.reason : verdict.kind;
};

describe('without network, a device', () => {
  it('hashes a code as the service does', async () => {
    const expected = createHash('sha256').update(code).digest().subarray(0, 16).toString('base64url');
    expect(await hashCode(` ${code}\n`)).toBe(expected);
  });

  it.each<[string, Partial<Known>, string, string?]>([
    ['admits a valid ticket', {}, 'admit'],
    ['admits the new holder of a ticket', { seat: { ...seat, status: 'transferred' } }, 'admit'],
    [
      'admits the code of a key that is being replaced',
      { hash: 'other', seat: { ...seat, otherHashes: ['other'] } },
      'admit',
    ],
    ['refuses another text', {}, 'invalid', 'https://example.com'],
    ['asks about a ticket that its list does not have', { seat: undefined }, 'ask'],
    ['refuses a refunded ticket', { seat: { ...seat, status: 'refunded' } }, 'refunded'],
    ['refuses a forged code', { hash: 'other' }, 'invalid'],
    ['refuses a former holder', { hash: 'other', seat: { ...seat, status: 'transferred' } }, 'transferred'],
    ['asks about a code that may be newer than its list', { hash: 'other' }, 'ask', 'order.1.v2-1.signature'],
    [
      'refuses a ticket that came in elsewhere',
      { seat: { ...seat, status: 'admitted', admittedAt: '2030-06-01T19:00:00Z' } },
      'admitted',
    ],
    ['refuses a ticket that it has let in', { scans: [scan('2030-06-01T19:00:00Z')] }, 'admitted'],
  ])('%s', (_, fields, expected, text) => {
    expect(outcome(fields, text)).toBe(expected);
  });

  it('follows its check-in list', () => {
    expect(judge(code, withLists('backstage'))).toMatchObject({
      reason: 'wrong-list',
      lists: ['Gate', 'Daily'],
    });
    expect(outcome(withLists('gate', { direction: 'exit' }))).toBe('not-inside');
    expect(outcome(withLists('gate', { direction: 'exit', scans: [scan('2030-06-01T19:00:00Z')] }))).toBe(
      'out',
    );
    const outAgain = [scan('2030-06-01T19:00:00Z'), scan('2030-06-01T19:30:00Z', 'exit')];
    expect(outcome(withLists('gate', { scans: outAgain }))).toBe('admit');
  });

  it('admits once a day in the zone of the event', () => {
    const at = (admittedAt: string) =>
      withLists('daily', { seat: { ...seat, status: 'admitted', admittedAt } });
    expect(outcome(at('2030-06-01T10:00:00Z'))).toBe('admitted');
    // In Berlin it is past midnight.
    expect(outcome(at('2030-05-31T22:30:00Z'))).toBe('admitted');
    expect(outcome(at('2030-05-31T21:30:00Z'))).toBe('admit');
  });
});
