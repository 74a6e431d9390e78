import { describe, expect, it } from 'vitest';
import { fulfilmentStatuses, type Order, refundStatuses } from '../../../shared/orders/order.ts';
import { isOrderInProgress, nextErasurePassAt } from '../../../shared/privacy/erasure.ts';

describe('an erasure', () => {
  const requestedAt = '2026-01-01T12:00:00.000Z';
  const erasure = { userId: 'u', requestedAt, updatedAt: requestedAt };
  const afterMinutes = (minutes: number) => Date.parse(requestedAt) + minutes * 60_000;

  it('makes its last pass after 20 minutes, when earlier access tokens have expired', () => {
    expect(nextErasurePassAt(erasure, afterMinutes(0))).toBe(afterMinutes(20));
    expect(nextErasurePassAt(erasure, afterMinutes(19))).toBe(afterMinutes(20));
    expect(nextErasurePassAt(erasure, afterMinutes(20))).toBeUndefined();
  });
});

describe('an order', () => {
  const refund = { kind: 'whole' as const, amount: 5_125n, attempts: 0, at: '', dueAt: '' };

  it('is in progress while its payment is pending, and not after it fails', () => {
    expect(isOrderInProgress({ paymentStatus: 'PENDING', fulfilmentStatus: 'none' })).toBe(true);
    expect(isOrderInProgress({ paymentStatus: 'FAILED', fulfilmentStatus: 'none' })).toBe(false);
  });

  it('is in progress after its payment while it waits for its tokens or a refund', () => {
    const inProgress = fulfilmentStatuses.filter((fulfilmentStatus) =>
      isOrderInProgress({ paymentStatus: 'COMPLETED', fulfilmentStatus }),
    );
    expect(inProgress).toEqual(['queued', 'minting', 'reissuing', 'refund-due']);
  });

  it('is in progress until its refund is done', () => {
    const isRefundInProgress = (status: NonNullable<Order['refund']>['status']) =>
      isOrderInProgress({
        paymentStatus: 'COMPLETED',
        fulfilmentStatus: 'refund-due',
        refund: { ...refund, status },
      });
    expect(refundStatuses.filter(isRefundInProgress)).toEqual(['pending', 'failed', 'manual']);
  });
});
