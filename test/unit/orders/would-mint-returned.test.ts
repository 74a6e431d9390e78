import { describe, expect, it } from 'vitest';
import { type Order, wouldMintReturned } from '../../../shared/orders/order.ts';

const items = [
  { tierId: 'floor', quantity: 2 },
  { tierId: 'parking', quantity: 1, isAddOn: true },
] as Order['items'];

describe('minting an order later', () => {
  it('would mint a returned ticket, not a returned add-on, and matters where the token admits', () => {
    expect(wouldMintReturned({ items, returned: [2] }, { entry: 'token' })).toBe(true);
    expect(wouldMintReturned({ items, returned: [3] }, { entry: 'token' })).toBe(false);
    expect(wouldMintReturned({ items, returned: [2] }, { entry: 'account' })).toBe(false);
    expect(wouldMintReturned({ items }, { entry: 'token' })).toBe(false);
  });
});
