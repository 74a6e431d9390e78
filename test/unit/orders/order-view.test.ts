import { describe, expect, it } from 'vitest';
import type { Order } from '../../../shared/orders/order.ts';
import { toOrderView } from '../../../shared/orders/views.ts';

const order = {
  id: 'order',
  currency: 'USD',
  subtotal: 2_000n,
  totalAmount: 2_050n,
  paymentMethod: 'FIAT',
  fulfilmentStatus: 'failed',
  updatedAt: '2027-01-01T00:00:00.000Z',
} as Order;

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

  it('is `other` when the stored reason is a sentence, which becomes the message', () => {
    expect(viewFulfilment({ fulfilmentReason: 'Chain 5 is not set up for minting' })).toMatchObject({
      reason: 'other',
      message: 'Chain 5 is not set up for minting',
    });
  });

  it('is null when no reason is stored', () => {
    expect(viewFulfilment({})).toMatchObject({ reason: null, message: null });
  });
});
