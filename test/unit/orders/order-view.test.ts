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

const shown = (change: Partial<Order>) => toOrderView({ ...order, ...change }).fulfilment;

describe('the reason of a fulfilment', () => {
  it('is a code with a sentence beside it', () => {
    const fulfilmentMessage = 'The contract 0xa did not mint the tickets';
    expect(shown({ fulfilmentReason: 'not-minted', fulfilmentMessage })).toMatchObject({
      reason: 'not-minted',
      message: fulfilmentMessage,
    });
  });

  it('has a sentence of its own where none is stored', () => {
    expect(shown({ fulfilmentReason: 'event-cancelled' })).toMatchObject({
      reason: 'event-cancelled',
      message: 'The event was cancelled',
    });
  });

  it('is `other` for orders stored with a sentence', () => {
    expect(shown({ fulfilmentReason: 'Chain 5 is not set up for minting' })).toMatchObject({
      reason: 'other',
      message: 'Chain 5 is not set up for minting',
    });
  });

  it('is null without one', () => {
    expect(shown({})).toMatchObject({ reason: null, message: null });
  });
});
