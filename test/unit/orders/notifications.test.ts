import { expect, it } from 'vitest';
import {
  cancellationNotification,
  holderCancellationNotification,
  purchaseNotification,
} from '../../../shared/orders/notifications.ts';
import type { FulfilmentReason, Order } from '../../../shared/orders/order.ts';
import { buildEvent, creationTime } from '../catalog/event-fixtures.ts';

const timestamp = creationTime.toISOString();
const event = buildEvent();
const order = { id: 'order', userId: 'buyer', quantity: 2, totalAmount: 2_050n } as Order;
const freeOrder = { ...order, totalAmount: 0n };

it('promises the money back when an event is cancelled, but not for free tickets', () => {
  expect(cancellationNotification(order, event, timestamp).message).toBe(
    'Jazz was cancelled. You will get your money back.',
  );
  expect(cancellationNotification(freeOrder, event, timestamp).message).toBe('Jazz was cancelled.');
  expect(holderCancellationNotification(order, event, 'holder').message).toBe(
    'Jazz was cancelled. Your ticket is no longer valid, and its buyer gets the money back.',
  );
  expect(holderCancellationNotification(freeOrder, event, 'holder').message).toBe(
    'Jazz was cancelled. Your ticket is no longer valid.',
  );
});

it.each<FulfilmentReason>(['sold-out', 'too-few-left', 'tier-limit', 'wallet-limit'])(
  'explains a late payment without the recorded reason, which may be wrong (%s)',
  (fulfilmentReason) => {
    const lateOrder = {
      ...order,
      fulfilmentStatus: 'refund-due' as const,
      fulfilmentReason,
      queuedAt: timestamp,
    };
    expect(purchaseNotification(lateOrder, event).message).toBe(
      'Your payment for 2 tickets to Jazz came in after the order had ended, and could no longer be accepted. You will get your money back.',
    );
  },
);
