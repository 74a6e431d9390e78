import { describe, expect, it } from 'vitest';
import type { Order } from '../../../shared/orders/order.ts';
import { toOrderView } from '../../../shared/orders/views.ts';

const order: Order = {
  id: 'order',
  userId: 'buyer',
  eventId: 'event',
  tierId: 'tier',
  quantity: 2,
  currency: 'USD',
  subtotal: 2_000n,
  totalAmount: 2_050n,
  paymentMethod: 'FIAT',
  reference: 'BOX-EVENT-1795000000000-7Q2WK9XD',
  paymentStatus: 'COMPLETED',
  customerEmail: 'ben@example.com',
  customerName: 'Ben',
  holdsInventory: true,
  shard: 0,
  fulfilmentStatus: 'failed',
  createdAt: '2027-01-01T00:00:00.000Z',
  updatedAt: '2027-01-01T00:00:00.000Z',
  expiresAt: '2027-01-01T00:15:00.000Z',
};

const viewFulfilment = (change: Partial<Order>) => toOrderView({ ...order, ...change }).fulfilment;

describe('the reason of a fulfilment', () => {
  it('is a code with the stored message', () => {
    const fulfilmentMessage = 'The contract 0xa did not mint the tickets';
    expect(viewFulfilment({ fulfilmentReason: 'not-minted', fulfilmentMessage })).toMatchObject({
      reason: 'not-minted',
      message: fulfilmentMessage,
    });
  });

  it('has a default message when none is stored', () => {
    expect(viewFulfilment({ fulfilmentReason: 'event-cancelled' })).toMatchObject({
      reason: 'event-cancelled',
      message: 'The event was cancelled',
    });
  });

  it('is null when no reason is stored', () => {
    expect(viewFulfilment({})).toMatchObject({ reason: null, message: null });
  });
});
