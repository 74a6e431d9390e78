import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Order } from '../../../shared/orders/order.ts';
import { nextLateCheckAt } from '../../../shared/orders/settlement/fail-order.ts';

const failedAt = Date.parse('2026-11-24T12:00:00.000Z');
const order = { paymentStatus: 'FAILED', updatedAt: new Date(failedAt).toISOString() } as Order;

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: failedAt }));
afterEach(() => vi.useRealTimers());

it('asks about an order that failed less and less often, for three days', () => {
  const hours: number[] = [];
  for (let next = nextLateCheckAt(order); next !== 'never'; next = nextLateCheckAt(order)) {
    hours.push((next - failedAt) / 3_600_000);
    vi.setSystemTime(next);
  }
  expect(hours).toEqual([0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 72]);
});
