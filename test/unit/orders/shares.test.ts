import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Order,
  type OrderItem,
  type Refund,
  sumItems,
  toSoldOrder,
} from '../../../shared/orders/order.ts';
import {
  excessOf,
  leftOf,
  planRefund,
  remainingSoldOrder,
  reversalOf,
  seatWorths,
} from '../../../shared/orders/shares.ts';

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const sumOf = <Key extends string>(items: readonly Record<Key, bigint>[], key: Key) =>
  sum(items.map((item) => item[key]));

function createOrder(items: OrderItem[], fields: Partial<Order> = {}): Order {
  const sums = sumItems(items);
  const totalAmount = (sums.subtotal * 1025n + 500n) / 1000n;
  return { id: 'o1', items, currency: 'EUR', totalAmount, ...sums, ...fields } as Order;
}

const item = (tierId: string, quantity: number, unitPrice: bigint, discount = 0n): OrderItem => ({
  tierId,
  quantity,
  unitPrice,
  ...(discount > 0n && { discount }),
});

describe('what a seat is worth', () => {
  it('is its part of the payment by its price after the discount, with the fee', () => {
    expect(seatWorths(createOrder([item('a', 2, 50_00n), item('b', 1, 20_00n, 5_00n)]))).toEqual([
      5125n,
      5125n,
      1538n,
    ]);
  });

  it('gives equal remainders to the lowest seats', () => {
    const order = createOrder([item('a', 3, 100n)], { currency: 'JPY', totalAmount: 308n });
    expect(seatWorths(order)).toEqual([103n, 103n, 102n]);
  });

  it('is a multiple of the provider’s step', () => {
    const order = createOrder([item('a', 3, 1_000n)], {
      currency: 'KWD',
      gateway: 'gateway-c',
      totalAmount: 3_080n,
    });
    expect(seatWorths(order)).toEqual([1_030n, 1_030n, 1_020n]);
  });
});

describe('what the ledger takes back with seats', () => {
  it('is what is refunded for them, also where the provider’s step is larger than a seat’s price', () => {
    const order = createOrder([item('a', 500, 5n)], {
      currency: 'KWD',
      gateway: 'gateway-c',
      totalAmount: 2_570n,
    });
    const seats = Array.from({ length: 257 }, (_, index) => index + 1);
    const part = planRefund(order, { seats });
    const [taken] = reversalOf(order, part).items;
    expect(part.amount).toBe(2_570n);
    expect((taken?.net ?? 0n) + (taken?.fee ?? 0n)).toBe(2_570n);
  });
});

describe('a second payment after a refund of a seat', () => {
  it('does not change what the ledger has of the order, and goes back with the rest', () => {
    const order = createOrder([item('a', 3, 2_00n)], { currency: 'POL' });
    const { isFinal: _, ...part } = planRefund(order, { seats: [3] });
    const refunds = [{ ...part, status: 'done' }] as Refund[];
    const refunded = { ...order, refunds, returned: [3] };
    const paidAgain = { ...refunded, otherPayments: { '0x2': order.totalAmount } };
    expect(remainingSoldOrder(paidAgain)).toEqual(remainingSoldOrder(refunded));
    expect(planRefund(paidAgain, {}).amount).toBe(2n * order.totalAmount - part.amount);
  });
});

describe('what was paid too much on a chain', () => {
  it('can be sent back apart from refunds as far as none of them includes it', () => {
    const seats = createOrder([item('a', 3, 2_00n)], { currency: 'POL', paymentMethod: 'CRYPTO' });
    const total = seats.totalAmount;
    const pay = (order: Order, hash: string) => ({
      ...order,
      otherPayments: { ...order.otherPayments, [hash]: total },
    });
    const paidTwice = pay(seats, '0x2');
    expect(excessOf(paidTwice)).toBe(total);
    const { isFinal: _, ...part } = planRefund(paidTwice, { seats: [3] });
    const refunds = [{ ...part, status: 'done' }] as Refund[];
    const refunded = { ...paidTwice, refunds, returned: [3] };
    expect(excessOf(refunded)).toBe(0n);
    expect(excessOf(pay(refunded, '0x3'))).toBe(total);
    const { isFinal: __, ...rest } = planRefund(refunded, {});
    const ended = { ...refunded, refund: { ...rest, status: 'done' } as Refund };
    expect(excessOf(ended)).toBe(0n);
    expect(excessOf(pay(ended, '0x3'))).toBe(total);
    expect(excessOf({ ...pay(ended, '0x3'), returnedExcess: total })).toBe(0n);
  });
});

describe('a return of all seats', () => {
  it('keeps a fee, but none while the payment is disputed', () => {
    const order = createOrder([item('a', 1, 10_00n)]);
    const request = { seats: [1], feePercent: 15 };
    expect(planRefund(order, request)).toMatchObject({ amount: 872n, kept: 153n });
    const planned = planRefund(order, { ...request, includesKept: true });
    expect(planned).toMatchObject({ amount: 1025n, isFinal: true });
    expect(planned).not.toHaveProperty('kept');
  });
});

const orders = fc
  .record({
    items: fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 5 }),
        price: fc.bigInt(0n, 99_999n),
        percent: fc.nat(100),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    currency: fc.constantFrom('JPY' as const, 'KWD' as const, 'EUR' as const),
    excess: fc.bigInt(0n, 50n),
    paysFee: fc.boolean(),
  })
  .map(({ items, currency, excess, paysFee }) => {
    const orderItems = items.map(({ quantity, price, percent }, index) =>
      item(`t${index}`, quantity, price, (price * BigInt(quantity) * BigInt(percent)) / 100n),
    );
    const { subtotal } = sumItems(orderItems);
    // The provider accepts steps of ten of a currency with three decimals.
    const step = currency === 'KWD' ? 10n : 1n;
    const fee = (subtotal * 25n + 500n) / 1000n;
    const total = paysFee ? subtotal : ((subtotal + fee + step - 1n) / step) * step;
    const roundedTotal = ((total + step - 1n) / step) * step;
    return createOrder(orderItems, {
      currency,
      gateway: 'gateway-c',
      totalAmount: roundedTotal,
      paidAmount: roundedTotal > 0n ? roundedTotal + excess * step : 0n,
      ...(paysFee && { organizerFee: fee < subtotal ? fee : subtotal }),
    });
  });

const requests = fc.array(
  fc.record({ share: fc.nat(1000), isGoodwill: fc.boolean(), feePercent: fc.nat(100), count: fc.nat(4) }),
  { maxLength: 8 },
);

describe('a sequence of refunds', () => {
  it('gives back at most the payment, in amounts that the provider accepts, and all of it in the end', () => {
    fc.assert(
      fc.property(orders, requests, fc.boolean(), fc.boolean(), (initial, steps, endsWhole, includesKept) => {
        let order: Order = initial;
        const sold = toSoldOrder(order).items;
        const reversed = { net: 0n, fee: 0n, quantity: 0 };
        const begin = (request: Parameters<typeof planRefund>[1]) => {
          const { isFinal, ...planned } = planRefund(order, request);
          const { items } = reversalOf(order, { ...planned, isFinal });
          reversed.net += sumOf(items, 'net');
          reversed.fee += sumOf(items, 'fee');
          for (const { quantity } of items) reversed.quantity += quantity;
          const refund = { ...planned, status: 'done', attempts: 0, dueAt: '', at: '' } as const;
          order = isFinal
            ? { ...order, refund }
            : {
                ...order,
                refunds: [...(order.refunds ?? []), refund],
                returned: [...(order.returned ?? []), ...(planned.seats ?? [])],
              };
        };
        for (const { share, isGoodwill, feePercent, count } of steps) {
          if (order.refund) break;
          const seats = Array.from({ length: order.quantity }, (_, index) => index + 1)
            .filter((number) => !order.returned?.includes(number))
            .slice(0, count + 1);
          const step = order.currency === 'KWD' ? 10n : 1n;
          const goodwill = ((leftOf(order) * BigInt(share)) / 2000n / step) * step;
          if (isGoodwill && goodwill > 0n) begin({ amount: goodwill });
          else if (!isGoodwill && seats.length > 0) begin({ seats, feePercent });
        }
        if (endsWhole && !order.refund) begin({ includesKept });
        const all = [...(order.refunds ?? []), ...(order.refund ? [order.refund] : [])];
        const amount = sumOf(all, 'amount');
        const kept = order.refund?.includesKept ? 0n : sum(all.map((refund) => refund.kept ?? 0n));
        const paid = initial.paidAmount ?? 0n;
        const excess = paid - initial.totalAmount;
        expect(amount + kept).toBeLessThanOrEqual(paid);
        const step = initial.currency === 'KWD' ? 10n : 1n;
        for (const refund of all) expect(refund.amount >= 0n && refund.amount % step === 0n).toBe(true);
        // The ledger has what the operations of an audit expect.
        const remaining = remainingSoldOrder(order).items;
        expect(sumOf(sold, 'net') - reversed.net).toBe(sumOf(remaining, 'net'));
        expect(sumOf(sold, 'fee') - reversed.fee).toBe(sumOf(remaining, 'fee'));
        if (!order.refund) return;
        expect(amount + kept).toBe(paid);
        expect(sumOf(remaining, 'net')).toBe(kept);
        expect(sumOf(remaining, 'fee')).toBe(0n);
        expect(reversed.quantity).toBe(initial.quantity);
        // What the ledger does not have of the payment is the excess, and what the total was rounded up by.
        expect(amount - (reversed.net + reversed.fee)).toBe(
          excess + initial.totalAmount - sumOf(sold, 'net') - sumOf(sold, 'fee'),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
