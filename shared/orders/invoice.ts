import { divideByShares } from '../core/money.ts';
import { numberItems, type Order, priceOfItem, type Refund, refundedAmountOf, seatsOf } from './order.ts';

/** The amounts of an invoice or of a credit note. All are minor units of the order's currency, and include taxes. */
export interface InvoiceAmounts {
  lines: InvoiceLine[];
  /** The part of the platform's fee that the buyer pays on top of the prices. */
  fee: bigint;
  /** The taxes that the lines include, by percentage. */
  taxes: { percent: number; gross: bigint; tax: bigint }[];
  /** The sum of the lines and the fee. */
  total: bigint;
}

interface InvoiceLine {
  tierId: string;
  /** 0 on the credit note of a refund without seats. */
  quantity: number;
  /** The tax that the amount includes, in percent; absent without one. */
  percent: number | undefined;
  gross: bigint;
  /** The tax within `gross`. */
  tax: bigint;
}

/** Returns whether a refund needs a credit note: a part of the invoice is left that it takes back. */
export function needsCreditNote(order: Order, { amount }: Pick<Refund, 'amount'>): boolean {
  return order.invoice !== undefined && amount > 0n && refundedAmountOf(order) < order.totalAmount;
}

/**
 * Returns the amounts of an order's invoice. The tax of each percentage is computed from the sum of its lines, rounded half
 * up once, and divided among them by largest remainder.
 */
export function invoiceOf(order: Pick<Order, 'items' | 'totalAmount' | 'subtotal'>): InvoiceAmounts {
  const lines = order.items.map((item): InvoiceLine => {
    const { tierId, quantity, taxPercent } = item;
    return { tierId, quantity, percent: taxPercent, gross: priceOfItem(item), tax: 0n };
  });
  for (const [percent, taxed] of Map.groupBy(lines, (line) => line.percent)) {
    const amounts = taxed.map(({ gross }) => gross);
    const parts = divideByShares(includedTax(sum(amounts), percent ?? 0), amounts);
    for (const [index, line] of taxed.entries()) line.tax = parts[index] ?? 0n;
  }
  return sumUp(lines, order.totalAmount - order.subtotal);
}

/**
 * Returns the amounts of a credit note for each refund of an order, in their sequence. A refund of seats takes back their
 * lines first, any other all lines in proportion. All credit notes take back no more than the invoice: a payment in excess
 * of it goes back without one. When everything has been taken back, each amount and tax is that of the invoice.
 */
export function creditNotesOf(order: Order): InvoiceAmounts[] {
  const invoice = invoiceOf(order);
  const wholes = [...invoice.lines.map(({ gross }) => gross), invoice.fee];
  let left = wholes;
  return allRefunds(order).map((refund) => {
    const before = left;
    const amount = minimum(refund.amount, sum(before));
    const first = partsOfSeats(order, refund, wholes).map((part, index) =>
      minimum(part, before[index] ?? 0n),
    );
    const further = before.map((rest, index) => rest - (first[index] ?? 0n));
    const fromFirst = minimum(amount, sum(first));
    const [firstParts, furtherParts] = [
      divideByShares(fromFirst, first),
      divideByShares(amount - fromFirst, further),
    ];
    const parts = before.map((_, index) => (firstParts[index] ?? 0n) + (furtherParts[index] ?? 0n));
    left = before.map((rest, index) => rest - (parts[index] ?? 0n));
    const quantities = countSeats(order, refund);
    const lines = invoice.lines.map((line, index): InvoiceLine => {
      const taxLeft = (rest: bigint) => (line.gross === 0n ? 0n : divideHalfUp(line.tax * rest, line.gross));
      return {
        ...line,
        quantity: quantities[index] ?? 0,
        gross: parts[index] ?? 0n,
        tax: taxLeft(before[index] ?? 0n) - taxLeft(left[index] ?? 0n),
      };
    });
    return sumUp(
      lines.filter(({ quantity, gross }) => quantity > 0 || gross > 0n),
      parts.at(-1) ?? 0n,
    );
  });
}

/** Returns all refunds of an order, in the sequence in which they began. */
export function allRefunds({ refunds = [], refund }: Pick<Order, 'refunds' | 'refund'>): Refund[] {
  return refund ? [...refunds, refund] : refunds;
}

/** Returns the parts of the invoice's lines, and of the fee, that belong to the seats of a refund; 0 without seats. */
function partsOfSeats(order: Order, refund: Refund, wholes: readonly bigint[]): bigint[] {
  const quantities = countSeats(order, refund);
  const parts = order.items.map(
    ({ quantity }, index) => ((wholes[index] ?? 0n) * BigInt(quantities[index] ?? 0)) / BigInt(quantity),
  );
  const fee = wholes.at(-1) ?? 0n;
  return [...parts, order.subtotal === 0n ? 0n : (fee * sum(parts)) / order.subtotal];
}

/** Returns the number of seats of each item that a refund takes back. */
function countSeats(order: Order, { kind, seats }: Refund): number[] {
  const numbers = seats ?? (kind === 'whole' ? seatsOf({ ...order, returned: [] }) : []);
  return numberItems(order).map(
    ({ firstNumber, quantity }) =>
      numbers.filter((number) => number >= firstNumber && number < firstNumber + quantity).length,
  );
}

function sumUp(lines: InvoiceLine[], fee: bigint): InvoiceAmounts {
  const taxed = Map.groupBy(lines, ({ percent }) => percent);
  const taxes = [...taxed].flatMap(([percent, ofPercent]) =>
    percent === undefined
      ? []
      : [
          {
            percent,
            gross: sum(ofPercent.map(({ gross }) => gross)),
            tax: sum(ofPercent.map(({ tax }) => tax)),
          },
        ],
  );
  return { lines, fee, taxes, total: sum(lines.map(({ gross }) => gross)) + fee };
}

/** Returns the tax within an amount, rounded half up. @param percent at most two decimals */
export function includedTax(gross: bigint, percent: number): bigint {
  const hundredths = BigInt(Math.round(percent * 100));
  return divideHalfUp(gross * hundredths, 10_000n + hundredths);
}

const divideHalfUp = (dividend: bigint, divisor: bigint) => (2n * dividend + divisor) / (2n * divisor);
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const minimum = (a: bigint, b: bigint) => (a < b ? a : b);
