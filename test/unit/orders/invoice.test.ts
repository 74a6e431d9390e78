import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies, totalWithFee } from '../../../shared/core/money.ts';
import {
  creditNotesOf,
  type InvoiceAmounts,
  includedTax,
  invoiceOf,
  needsCreditNote,
} from '../../../shared/orders/invoice.ts';
import { type Order, type OrderItem, type Refund, seatsOf, sumItems } from '../../../shared/orders/order.ts';
import { leftOf, planRefund } from '../../../shared/orders/shares.ts';

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

function createOrder(items: OrderItem[], fields: Partial<Order> = {}): Order {
  const sums = sumItems(items);
  const invoice = { number: 1, at: '2030-01-01T00:00:00.000Z' };
  return {
    id: 'o1',
    items,
    currency: 'EUR',
    totalAmount: totalWithFee(sums.subtotal),
    invoice,
    ...sums,
    ...fields,
  } as Order;
}

/** Returns the order after a refund; undefined when nothing is left to refund. */
function refunded(order: Order, request: Parameters<typeof planRefund>[1]): Order | undefined {
  const { isFinal, ...part } = planRefund(order, request);
  if (part.amount === 0n && !isFinal) return undefined;
  const refund = { ...part, status: 'done' } as Refund;
  if (isFinal) return { ...order, refund };
  const returned = [...(order.returned ?? []), ...(refund.seats ?? [])];
  return { ...order, refunds: [...(order.refunds ?? []), refund], returned };
}

describe('the tax within an amount', () => {
  it.each([
    [119_00n, 19, 19_00n],
    [100_00n, 7.5, 6_98n],
    [1n, 100, 1n],
    [5n, 0, 0n],
    [1n, 19, 0n],
  ])('of %s at %s percent is %s', (gross, percent, tax) => {
    expect(includedTax(gross, percent)).toBe(tax);
  });
});

describe('an invoice', () => {
  it('divides the tax of a percentage among its lines by largest remainder', () => {
    const order = createOrder([
      { tierId: 'a', quantity: 1, unitPrice: 10_00n, taxPercent: 19 },
      { tierId: 'b', quantity: 3, unitPrice: 10_00n, discount: 1n, taxPercent: 19 },
      { tierId: 'c', quantity: 1, unitPrice: 5_00n, taxPercent: 7 },
      { tierId: 'd', quantity: 1, unitPrice: 1_00n },
    ]);
    const { lines, taxes, fee, total } = invoiceOf(order);
    expect(lines.map(({ gross, tax }) => [gross, tax])).toEqual([
      [10_00n, 1_60n],
      [29_99n, 4_78n],
      [5_00n, 33n],
      [1_00n, 0n],
    ]);
    expect(taxes).toEqual([
      { percent: 19, gross: 39_99n, tax: 6_38n },
      { percent: 7, gross: 5_00n, tax: 33n },
    ]);
    expect([fee, total]).toEqual([1_15n, 47_14n]);
  });
});

describe('a credit note', () => {
  const items: OrderItem[] = [
    { tierId: 'a', quantity: 2, unitPrice: 50_00n, taxPercent: 19 },
    { tierId: 'b', quantity: 1, unitPrice: 20_00n, taxPercent: 7 },
  ];

  it('of a seat takes back its line, its tax and its part of the fee', () => {
    const order = refunded(createOrder(items), { seats: [2] }) as Order;
    expect(creditNotesOf(order)).toEqual([
      {
        lines: [{ tierId: 'a', quantity: 1, percent: 19, gross: 50_00n, tax: 7_98n }],
        fee: 1_25n,
        taxes: [{ percent: 19, gross: 50_00n, tax: 7_98n }],
        total: 51_25n,
      },
    ]);
  });

  it('of goodwill takes back all lines in proportion, without seats', () => {
    const order = refunded(createOrder(items), { amount: 12_30n }) as Order;
    const [{ lines, fee }] = creditNotesOf(order) as [InvoiceAmounts];
    expect(lines.map(({ quantity, gross }) => [quantity, gross])).toEqual([
      [0, 10_00n],
      [0, 2_00n],
    ]);
    expect(fee).toBe(30n);
  });

  it('takes back no more than the invoice, when a payment in excess of it goes back', () => {
    const paidTwice = createOrder(items, { paidAmount: 246_00n });
    const order = refunded(paidTwice, {}) as Order;
    expect(order.refund?.amount).toBe(246_00n);
    expect(creditNotesOf(order).map(({ total }) => total)).toEqual([123_00n]);
    expect(needsCreditNote(paidTwice, { amount: 246_00n })).toBe(true);
    const partly = refunded(paidTwice, { amount: 123_00n }) as Order;
    expect(needsCreditNote(partly, { amount: 123_00n })).toBe(false);
  });
});

const orders = fc
  .record({
    items: fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 5 }),
        unitPrice: fc.oneof(fc.bigInt(0n, 99_999n), fc.bigInt(0n, 10n ** 21n)),
        percentOff: fc.nat(100),
        taxPercent: fc.option(fc.constantFrom(0, 0.01, 5, 7, 7.5, 19, 99.99, 100), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    currency: fc.constantFrom(...currencies),
    paysFee: fc.boolean(),
    excess: fc.constantFrom(0n, 0n, 1n, 5_000n),
  })
  .map(({ items, currency, paysFee, excess }) => {
    const orderItems = items.map(({ percentOff, taxPercent, ...item }, index): OrderItem => {
      const discount = (item.unitPrice * BigInt(item.quantity) * BigInt(percentOff)) / 100n;
      return {
        tierId: `t${index}`,
        ...item,
        ...(discount && { discount }),
        ...(taxPercent !== undefined && { taxPercent }),
      };
    });
    const { subtotal } = sumItems(orderItems);
    const totalAmount = paysFee ? totalWithFee(subtotal) : subtotal;
    return createOrder(orderItems, { currency, totalAmount, paidAmount: totalAmount + excess });
  });

const requests = fc.array(
  fc.record({
    kind: fc.constantFrom('seats', 'goodwill'),
    pick: fc.nat(),
    feePercent: fc.constantFrom(0, 0, 10, 100),
  }),
  { maxLength: 5 },
);

/** Refunds some seats or some money for each request, and then all that is left. @returns the order after each */
function refundAll(
  order: Order,
  steps: { kind: string; pick: number; feePercent: number }[],
  isFinal: boolean,
) {
  const history = [order];
  for (const { kind, pick, feePercent } of steps) {
    const current = history.at(-1) as Order;
    const seats = seatsOf(current);
    const left = leftOf(current);
    const request =
      kind === 'seats'
        ? { seats: [seats[pick % seats.length] ?? 0], feePercent }
        : { amount: left === 0n ? 0n : (BigInt(pick) % left) + 1n };
    if (seats.length > 1 || kind === 'goodwill') history.push(refunded(current, request) ?? current);
  }
  if (isFinal) history.push(refunded(history.at(-1) as Order, {}) as Order);
  return history;
}

describe('amounts, in all currencies', () => {
  const expectSums = ({ lines, fee, taxes, total }: InvoiceAmounts) => {
    expect(sum(lines.map(({ gross }) => gross)) + fee).toBe(total);
    const taxed = lines.filter(({ percent }) => percent !== undefined);
    expect(sum(taxes.map(({ tax }) => tax))).toBe(sum(taxed.map(({ tax }) => tax)));
    expect(sum(taxes.map(({ gross }) => gross))).toBe(sum(taxed.map(({ gross }) => gross)));
    for (const { gross, tax } of [...lines, ...taxes]) {
      expect(tax >= 0n && tax <= gross).toBe(true);
    }
  };

  it('of an invoice sum to the total, with the tax of each percentage rounded once', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const invoice = invoiceOf(order);
        expectSums(invoice);
        expect(invoice.total).toBe(order.totalAmount);
        for (const { percent, gross, tax } of invoice.taxes) expect(tax).toBe(includedTax(gross, percent));
      }),
      { numRuns: 2_000 },
    );
  });

  it('of credit notes sum to their refunds, and to the invoice once all is refunded', () => {
    fc.assert(
      fc.property(orders, requests, fc.boolean(), (order, steps, isFinal) => {
        const history = refundAll(order, steps, isFinal);
        const last = history.at(-1) as Order;
        const notes = creditNotesOf(last);
        for (const note of notes) expectSums(note);
        const refunds = [...(last.refunds ?? []), ...(last.refund ? [last.refund] : [])];
        const refundSum = sum(refunds.map(({ amount }) => amount));
        const credited = sum(notes.map(({ total }) => total));
        expect(credited).toBe(refundSum < order.totalAmount ? refundSum : order.totalAmount);
        // A later refund leaves the earlier credit notes as they are.
        for (const earlier of history) {
          const before = creditNotesOf(earlier);
          expect(notes.slice(0, before.length)).toEqual(before);
        }
        if (credited < order.totalAmount) return;
        const invoice = invoiceOf(order);
        for (const { tierId, gross, tax } of invoice.lines) {
          const lines = notes.flatMap((note) => note.lines.filter((line) => line.tierId === tierId));
          expect(sum(lines.map((line) => line.gross))).toBe(gross);
          expect(sum(lines.map((line) => line.tax))).toBe(tax);
        }
        expect(sum(notes.map(({ fee }) => fee))).toBe(invoice.fee);
      }),
      { numRuns: 2_000 },
    );
  });
});
