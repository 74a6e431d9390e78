import { divideByShares } from '../core/money.ts';
import type { SoldItem, SoldOrder } from '../money/ledger/ledger.ts';
import { findStep } from '../payments/provider.ts';
import {
  numberItems,
  type Order,
  paidAmountOf,
  priceOfItem,
  type Refund,
  refundedAmountOf,
  seatsOf,
  toSoldOrder,
} from './order.ts';

/**
 * How an order's money is divided: among its items for the ledger, and among its seats for refunds. All amounts are minor
 * units, and all parts sum to the whole exactly.
 */

/**
 * Returns what each seat is worth: the payment, divided by the seats' prices after the discount. Equal remainders go to
 * the lowest seats. The parts are multiples of the provider's step.
 */
export function seatWorths(order: Order): bigint[] {
  return divideAmongSeats(order, paidAmountOf(order));
}

/** Returns the step in which an order's provider refunds. */
export function stepOf({ gateway, currency }: Pick<Order, 'gateway' | 'currency'>): bigint {
  return (gateway && findStep(gateway, currency)) ?? 1n;
}

function divideAmongSeats(order: Order, amount: bigint): bigint[] {
  const { items } = order;
  // The price of a seat is its item's price divided by the quantity: all over one denominator.
  const denominator = items.reduce((product, { quantity }) => product * BigInt(quantity), 1n);
  const prices = items.flatMap((item) => {
    const price = (priceOfItem(item) * denominator) / BigInt(item.quantity);
    return Array.from({ length: item.quantity }, () => price);
  });
  const step = stepOf(order);
  const parts = divideByShares(amount / step, prices).map((units) => units * step);
  // No provider accepts a payment that is not a multiple of its step.
  const rest = amount - sum(parts);
  return parts.map((part, index) => (index === 0 ? part + rest : part));
}

/** What a refund is requested for: a part of the seats, an amount, or all that is left. */
export interface RefundRequest {
  /** The numbers of seats that the order still has. */
  seats?: readonly number[];
  /** Goodwill: all seats stay valid. */
  amount?: bigint;
  /** The percentage of the seats' worth that the organizer keeps, 0 to 100. */
  feePercent?: number;
  /** Whether it is for the whole payment: without a fee, and also for what the organizer has kept of earlier refunds. */
  includesKept?: boolean;
}

export type RefundPart = Pick<
  Refund,
  'kind' | 'seats' | 'amount' | 'kept' | 'missing' | 'excess' | 'includesKept'
>;

/**
 * Plans a refund, of at most what is left of the payment. What the organizer has kept is not left.
 * @returns the refund, and whether it ends the order: then it has all that is left
 */
export function planRefund(order: Order, request: RefundRequest): RefundPart & { isFinal: boolean } {
  const left = leftOf(order);
  if (request.amount !== undefined) return { kind: 'goodwill', amount: request.amount, isFinal: false };
  const paidBeyond = paidAmountOf(order) - order.totalAmount;
  const excess = paidBeyond > 0n ? { excess: paidBeyond } : {};
  const remaining = seatsOf(order);
  const seats = request.seats ? remaining.filter((number) => request.seats?.includes(number)) : remaining;
  const isFinal = seats.length === remaining.length;
  const worths = seatWorths(order);
  const worth = sum(seats.map((number) => worths[number - 1] ?? 0n));
  if (isFinal && request.includesKept && order.refunds) {
    const amount = paidAmountOf(order) - refundedAmountOf(order);
    return { kind: 'whole', seats, amount, ...excess, includesKept: true, isFinal };
  }
  const payable = isFinal ? left : minimum(worth, left);
  const step = stepOf(order);
  // An excess over the total is the buyer's.
  const totals = divideAmongSeats(order, order.totalAmount);
  const total = sum(seats.map((number) => totals[number - 1] ?? 0n));
  const feePercent = request.includesKept ? 0 : (request.feePercent ?? 0);
  const fee = (minimum(minimum(worth, total), payable) * BigInt(feePercent)) / 100n;
  const kept = fee - (fee % step);
  const amount = payable - kept;
  const all = request.seats === undefined && !order.refunds ? {} : { seats };
  // Stored, since another payment of the buyer changes what seats are worth.
  const missing = isFinal ? 0n : worth - payable;
  return {
    kind: request.seats ? 'seats' : 'whole',
    ...all,
    amount,
    ...(kept > 0n && { kept }),
    ...(missing > 0n && { missing }),
    ...excess,
    isFinal,
  };
}

/** Returns what can still be refunded: the payment less all refunds, also pending ones, and what the organizer keeps. */
export function leftOf(order: Order): bigint {
  const { refunds = [] } = order;
  return paidAmountOf(order) - sum(refunds.map(({ amount, kept = 0n }) => amount + kept));
}

/**
 * Returns what was paid on a chain beyond the total, without what there was of it at the last refund of seats: a part of that
 * went back with them, and the others' part goes back with those. Gateways report what they returned.
 */
export function excessOf(order: Order): bigint {
  if (order.paymentMethod !== 'CRYPTO') return 0n;
  const { refunds = [], refund } = order;
  const last = refund ?? refunds.findLast(({ kind }) => kind !== 'goodwill');
  const excess = paidAmountOf(order) - order.totalAmount - (last?.excess ?? 0n);
  // The refund of all that was left has left only what was paid since.
  return refund ? excess : minimum(excess, leftOf(order));
}

/**
 * Returns what a refund that leaves the order valid takes back in the ledger: the share of its seats in the items, less
 * what the organizer keeps. Goodwill is the organizer's alone.
 */
function partOf(order: Order, { kind, seats = [], amount, kept = 0n, missing = 0n }: RefundPart): SoldItem[] {
  const sold = toSoldOrder(order).items;
  if (kind === 'goodwill') {
    const parts = divideByShares(amount, order.items.map(priceOfItem));
    return sold.map(({ tierId }, index) => ({ tierId, quantity: 0, net: parts[index] ?? 0n, fee: 0n }));
  }
  const totals = divideAmongSeats(order, order.totalAmount);
  const keptParts = divideAmongItems(order, seats, kept);
  const missingParts = divideAmongItems(order, seats, missing);
  return byItem(order, seats).map((numbers, index) => {
    const { tierId, quantity, fee, discount = 0n } = sold[index] as SoldItem;
    const share = (whole: bigint) => {
      const parts = divideByShares(whole, Array(quantity).fill(1n));
      const first = numberItems(order)[index]?.firstNumber ?? 1;
      return sum(numbers.map((number) => parts[number - first] ?? 0n));
    };
    const feePart = share(fee);
    const total = sum(numbers.map((number) => totals[number - 1] ?? 0n));
    const discountPart = share(discount);
    return {
      tierId,
      quantity: numbers.length,
      net: total - feePart - (keptParts[index] ?? 0n) - (missingParts[index] ?? 0n),
      fee: feePart,
      ...(discountPart && { discount: discountPart }),
    };
  });
}

/** Returns the seats of each item. */
function byItem(order: Pick<Order, 'items'>, seats: readonly number[]): number[][] {
  return numberItems(order).map(({ firstNumber, quantity }) =>
    seats.filter((number) => number >= firstNumber && number < firstNumber + quantity),
  );
}

/** Divides an amount among the items by the totals of some of their seats. */
function divideAmongItems(order: Order, seats: readonly number[], amount: bigint): bigint[] {
  const totals = divideAmongSeats(order, order.totalAmount);
  const shares = byItem(order, seats).map((numbers) =>
    sum(numbers.map((number) => totals[number - 1] ?? 0n)),
  );
  return divideByShares(amount, shares);
}

/** Returns what the ledger still has of an order after its refunds. A refund of all that is left leaves what is kept. */
export function remainingSoldOrder(order: Order): SoldOrder {
  const { refunds = [], refund } = order;
  const sold = toSoldOrder(order);
  if (!refund) return { ...sold, items: subtract(sold.items, ...refunds.map((part) => partOf(order, part))) };
  const keeping =
    refund.includesKept || refund.isKeptReturned
      ? []
      : [...refunds, { ...refund, seats: refund.seats ?? [] }];
  const kept = keeping.map(({ seats = [], kept = 0n }) => divideAmongItems(order, seats, kept));
  const items = sold.items.map(({ tierId }, index) => ({
    tierId,
    quantity: 0,
    net: sum(kept.map((parts) => parts[index] ?? 0n)),
    fee: 0n,
  }));
  return { ...sold, items };
}

/** Returns what a new refund takes back in the ledger. */
export function reversalOf(order: Order, part: RefundPart & { isFinal: boolean }): SoldOrder {
  const before = remainingSoldOrder(order);
  const { isFinal, ...refund } = part;
  if (!isFinal) return { ...before, items: partOf(order, refund).filter(hasChange), isPart: true };
  const after = remainingSoldOrder({ ...order, refund: refund as Refund });
  return { ...before, items: subtract(before.items, after.items) };
}

const hasChange = ({ quantity, net, fee }: SoldItem) => quantity !== 0 || net !== 0n || fee !== 0n;

function subtract(items: readonly SoldItem[], ...parts: SoldItem[][]): SoldItem[] {
  return items.map(({ discount, ...item }, index) => {
    const others = parts.flatMap((part) => part[index] ?? []);
    const rest = (discount ?? 0n) - sum(others.map((other) => other.discount ?? 0n));
    return {
      ...item,
      quantity: others.reduce((left, { quantity }) => left - quantity, item.quantity),
      net: item.net - sum(others.map(({ net }) => net)),
      fee: item.fee - sum(others.map(({ fee }) => fee)),
      ...(rest && { discount: rest }),
    };
  });
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

const minimum = (a: bigint, b: bigint) => (a < b ? a : b);
