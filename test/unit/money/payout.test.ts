import { describe, expect, it } from 'vitest';
import { allows } from '../../../shared/core/state-machine.ts';
import {
  type Payout,
  payoutLifecycle,
  payoutStatuses,
  toPayout,
} from '../../../shared/money/payouts/payout.ts';
import { toPayoutView } from '../../../shared/money/payouts/views.ts';
import { backoffMilliseconds } from '../../../shared/runtime/retry.ts';

const payout: Payout = {
  id: 'cm5x2k9q0h3v7r1t8w4y6z0ab',
  organizerId: 'organizer',
  amount: 6050n,
  currency: 'NGN',
  gateway: 'gateway-a',
  destination: { accountNumber: '0123456789', bankCode: '058', accountName: 'Olu' },
  status: 'PENDING',
  attempts: 0,
  transfer: 1,
  createdAt: '2026-11-21T13:00:00.000Z',
  updatedAt: '2026-11-21T13:00:00.000Z',
};

describe('a payout', () => {
  it('allows these events in each status', () => {
    const eventsByStatus = payoutStatuses.map((status) => [
      status,
      payoutLifecycle.rows
        .map(({ event }) => event)
        .filter((event) => allows(payoutLifecycle, event, status)),
    ]);
    expect(Object.fromEntries(eventsByStatus)).toEqual({
      PENDING: ['send', 'wait', 'complete', 'giveUp'],
      SENT: ['send', 'wait', 'retry', 'complete', 'giveUp'],
      COMPLETED: [],
      FAILED: ['complete'],
    });
  });

  it('is read from its stored item, with its amount as a bigint and without the keys', () => {
    const stored = { ...payout, amount: 6050, pk: 'PAYOUT#1', sk: 'PAYOUT', duePk: 'DUE#1' };
    expect(toPayout(stored)).toEqual(payout);
    expect(() => toPayout({ ...stored, status: 'LOST' })).toThrow('status');
  });

  it('hides the account number and internal fields', () => {
    const view = toPayoutView(payout);
    expect(view).toMatchObject({ amount: 60.5, destination: { accountNumber: '****6789' } });
    expect(JSON.stringify(view)).not.toMatch(/012345|organizerId/);
  });
});

describe('backoff', () => {
  it('is RETRY_SECONDS after the first attempt, 300 by default, and doubles with each further one', () => {
    process.env.RETRY_SECONDS = '10';
    expect([0, 1, 2, 3, 4, 5].map(backoffMilliseconds)).toEqual([
      10_000, 10_000, 20_000, 40_000, 80_000, 160_000,
    ]);
    delete process.env.RETRY_SECONDS;
    expect(backoffMilliseconds(1)).toBe(300_000);
  });
});
