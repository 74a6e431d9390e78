import { describe, expect, it } from 'vitest';
import type { Order } from '../../../../shared/orders/order.ts';
import {
  groupIntoBatches,
  isReadyForNonce,
  type MintRequest,
} from '../../../../shared/tickets/minting/mint-requests.ts';

let last = 0;

function request(order: Partial<Order> = {}, place: Partial<MintRequest> = {}): MintRequest {
  const whole = { id: `order${last++}`, quantity: 1, ...order } as Order;
  const event = { organizerId: 'olga', eventTitle: 'Drill' };
  const { quantity } = whole;
  return {
    order: whole,
    quantity,
    chainId: 137,
    contract: '0xa',
    to: '0xb',
    orderKey: '0x0',
    ...event,
    ...place,
  };
}

const sizes = (requests: MintRequest[]) => groupIntoBatches(requests).map(({ length }) => length);

describe('a batch of orders', () => {
  it('has one contract on one chain', () => {
    const requests = [request(), request({}, { contract: '0xc' }), request(), request({}, { chainId: 1 })];
    expect(sizes(requests)).toEqual([2, 1, 1]);
  });

  it('has at most 40 orders', () => {
    expect(sizes(Array.from({ length: 85 }, () => request()))).toEqual([40, 40, 5]);
  });

  it('has at most 2,000 tickets, unless one order has more', () => {
    const quantities = [1_500, 500, 1, 5_000, 1_999, 1];
    expect(sizes(quantities.map((quantity) => request({ quantity })))).toEqual([2, 1, 1, 2]);
  });

  it('excludes orders that must be minted alone', () => {
    expect(sizes([request(), request({ mintsAlone: true }), request()])).toEqual([2, 1]);
  });

  it('contains each order once', () => {
    const requests = Array.from({ length: 123 }, (_, index) => request({ quantity: 1 + (index % 90) }));
    const ids = groupIntoBatches(requests).flatMap((batch) => batch.map(({ order }) => order.id));
    expect(ids.toSorted()).toEqual(requests.map(({ order }) => order.id).toSorted());
  });
});

describe('an order', () => {
  const ready = { paymentStatus: 'COMPLETED', holdsSeat: true, fulfilmentStatus: 'queued' } as Order;

  it('is ready for a nonce when it is paid, seated, queued and without one', () => {
    expect(isReadyForNonce(ready)).toBe(true);
  });

  it.each([
    ['not paid', { paymentStatus: 'PENDING' }],
    ['without a seat', { holdsSeat: false }],
    ['on its way', { fulfilmentStatus: 'minting' }],
    ['bound to a nonce', { mint: { chainId: 1, signer: '0xa', nonce: 0 } }],
  ] as const)('is not ready for a nonce while it is %s', (_what, change) => {
    expect(isReadyForNonce({ ...ready, ...change } as Order)).toBe(false);
  });
});
