import { describe, expect, it } from 'vitest';
import { fulfilmentStatuses, type Order, refundStatuses } from '../../../shared/orders/order.ts';
import { isOrderInProgress, nextErasurePassAt } from '../../../shared/privacy/erasure.ts';

describe('an erasure', () => {
  const requestedAt = '2026-01-01T12:00:00.000Z';
  const erasure = { userId: 'u', requestedAt, updatedAt: requestedAt };
  const at = (minutes: number) => Date.parse(requestedAt) + minutes * 60_000;

  it('makes its last pass when no access token from before can be valid', () => {
    expect(nextErasurePassAt(erasure, at(0))).toBe(at(20));
    expect(nextErasurePassAt(erasure, at(19))).toBe(at(20));
    expect(nextErasurePassAt(erasure, at(20))).toBeUndefined();
  });
});

describe('an order', () => {
  const refund = { amount: 5_125n, attempts: 0, at: '', dueAt: '' };

  it('is under way until it is paid or has failed', () => {
    expect(isOrderInProgress({ paymentStatus: 'PENDING', fulfilmentStatus: 'none' })).toBe(true);
    expect(isOrderInProgress({ paymentStatus: 'FAILED', fulfilmentStatus: 'none' })).toBe(false);
  });

  it('is under way while tokens or a refund are still to come', () => {
    const open = fulfilmentStatuses.filter((fulfilmentStatus) =>
      isOrderInProgress({ paymentStatus: 'COMPLETED', fulfilmentStatus }),
    );
    expect(open).toEqual(['queued', 'minting', 'reissuing', 'refund-due']);
  });

  it('is under way until its refund is done', () => {
    const ofStatus = (status: NonNullable<Order['refund']>['status']) =>
      isOrderInProgress({
        paymentStatus: 'COMPLETED',
        fulfilmentStatus: 'refund-due',
        refund: { ...refund, status },
      });
    expect(refundStatuses.filter(ofStatus)).toEqual(['pending', 'failed', 'manual']);
  });
});
