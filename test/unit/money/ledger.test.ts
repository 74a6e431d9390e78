import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allows } from '../../../shared/core/state-machine.ts';
import {
  type LedgerEntry,
  orderReversalEntry,
  payoutEntry,
  payoutSteps,
  type SoldOrder,
  saleCreditEntry,
  unlockEntry,
} from '../../../shared/money/ledger/ledger.ts';
import {
  type Payout,
  payoutLifecycle,
  payoutStatuses,
  toPayout,
} from '../../../shared/money/payouts/payout.ts';
import { toPayoutView } from '../../../shared/money/payouts/views.ts';
import { backoffMilliseconds } from '../../../shared/runtime/retry.ts';

const account = { organizerId: 'organizer', currency: 'USD' } as const;
const at = '2026-11-21T13:00:00.000Z';
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
const payoutStepNames = Object.keys(payoutSteps) as (keyof typeof payoutSteps)[];

function sold(net: bigint, fee: bigint, orderId = 'o1'): SoldOrder {
  return { orderId, items: [{ tierId: 't1', quantity: 2, net, fee }] };
}

const credit = (...orders: [SoldOrder, ...SoldOrder[]]) => saleCreditEntry(account, 'e1', orders, at);

function sum({ postings }: LedgerEntry): bigint {
  return Object.values(postings).reduce((total, posted) => total + posted, 0n);
}

describe('a ledger entry', () => {
  it('sums to zero and changes two accounts', () => {
    fc.assert(
      fc.property(amount, amount, fc.constantFrom(...payoutStepNames), (net, fee, step) => {
        const combined = credit(sold(net, fee), sold(fee, net, 'o2'));
        const reversal = orderReversalEntry(account, 'e1', sold(net, fee), at);
        const upcoming = { ...account, eventId: 'e1', amount: net, settlementBatch: 1 };
        const payout = payoutEntry(account, 'p1', step, net, at);
        for (const entry of [combined, reversal, payout, unlockEntry(upcoming, at)]) {
          expect(sum(entry)).toBe(0n);
          expect(Object.keys(entry.postings)).toHaveLength(2);
        }
      }),
    );
  });

  it('credits the price of the tickets, not the fee', () => {
    expect(credit(sold(5000n, 125n)).postings).toEqual({ clearing: -5000n, available: 5000n });
  });

  it('credits the sum of orders posted together, with an id from the first order', () => {
    const [first, second] = [sold(5000n, 125n), sold(70n, 2n, 'o2')];
    const entry = credit(first, second);
    expect(entry.postings).toEqual({ clearing: -5070n, available: 5070n });
    expect(entry.orders).toEqual([first, second]);
    expect(entry.id).toBe(credit(first).id);
    expect(entry.id).not.toBe(credit(second).id);
  });

  it('of a reversal has the opposite amounts of the credit', () => {
    const reversal = orderReversalEntry(account, 'e1', sold(5000n, 125n), at);
    expect(reversal.postings).toEqual({ clearing: 5000n, available: -5000n });
    const [order] = reversal.orders ?? [];
    expect(order).toEqual({
      orderId: 'o1',
      items: [{ tierId: 't1', quantity: -2, net: -5000n, fee: -125n }],
    });
    expect(reversal.id).not.toBe(credit(sold(5000n, 125n)).id);
  });

  it('credits and reverses `upcoming` before the event’s unlock; the unlock moves the amount to `available`', () => {
    const order = sold(5000n, 125n);
    const [upcomingCredit, reversal] = [
      saleCreditEntry(account, 'e1', [order], at, 'upcoming'),
      orderReversalEntry(account, 'e1', order, at, { from: 'upcoming' }),
    ];
    expect(upcomingCredit.postings).toEqual({ clearing: -5000n, upcoming: 5000n });
    expect(reversal.postings).toEqual({ upcoming: -5000n, clearing: 5000n });
    const upcoming = { ...account, eventId: 'e1', amount: 700n, settlementBatch: 1 };
    const [first, second] = [unlockEntry(upcoming, at), unlockEntry({ ...upcoming, settlementBatch: 2 }, at)];
    expect(first.postings).toEqual({ upcoming: -700n, available: 700n });
    expect(first.id).not.toBe(second.id);
  });

  it('of a payout has the same id whether it is completed in time or late', () => {
    const [inTime, late] = (['completed', 'completedLate'] as const).map((step) =>
      payoutEntry(account, 'p1', step, 100n, at),
    );
    expect(inTime?.id).toBe(late?.id);
    expect(inTime?.postings).toEqual({ pending: -100n, paidOut: 100n });
    expect(late?.postings).toEqual({ available: -100n, paidOut: 100n });
  });
});

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
      PENDING: ['send', 'hold', 'wait', 'complete', 'giveUp'],
      SENT: ['send', 'hold', 'wait', 'retry', 'complete', 'giveUp'],
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
