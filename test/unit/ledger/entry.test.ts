import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Entry,
  orderCredit,
  orderReversal,
  payoutEntries,
  payoutEntry,
} from '../../../shared/ledger/entry.ts';

const book = { organizerId: 'organizer', currency: 'USD' } as const;
const at = '2026-11-21T13:00:00.000Z';
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
const steps = Object.keys(payoutEntries) as (keyof typeof payoutEntries)[];

function sold(net: bigint, fee: bigint) {
  return { orderId: 'o1', eventId: 'e1', tierId: 't1', quantity: 2, net, fee };
}

function sum({ postings }: Entry): bigint {
  return Object.values(postings).reduce((total, posted) => total + posted, 0n);
}

describe('entries', () => {
  it('always sum to zero, and change two accounts', () => {
    fc.assert(
      fc.property(amount, amount, fc.constantFrom(...steps), (net, fee, step) => {
        const credit = orderCredit(book, sold(net, fee), at);
        const reversal = orderReversal({ ...credit, order: sold(net, fee) }, at);
        for (const entry of [credit, reversal, payoutEntry(book, 'p1', step, net, at)]) {
          expect(sum(entry)).toBe(0n);
          expect(Object.keys(entry.postings)).toHaveLength(2);
        }
      }),
    );
  });

  it('credit the price of the tickets, not the fee', () => {
    expect(orderCredit(book, sold(5000n, 125n), at).postings).toEqual({ clearing: -5000n, available: 5000n });
  });

  it('take a credit back to the last unit', () => {
    const credit = orderCredit(book, sold(5000n, 125n), at);
    const reversal = orderReversal({ ...credit, order: sold(5000n, 125n) }, at);
    expect(reversal.postings).toEqual({ clearing: 5000n, available: -5000n });
    expect(reversal.order).toMatchObject({ quantity: -2, net: -5000n, fee: -125n });
    expect(reversal.id).not.toBe(credit.id);
  });

  it('let a payout arrive once, in time or late', () => {
    const [inTime, late] = (['completed', 'completedLate'] as const).map((step) =>
      payoutEntry(book, 'p1', step, 100n, at),
    );
    expect(inTime?.id).toBe(late?.id);
    expect(inTime?.postings).toEqual({ pending: -100n, paidOut: 100n });
    expect(late?.postings).toEqual({ available: -100n, paidOut: 100n });
  });
});
