import { codeCounter } from '../../shared/catalog/inventory/store.ts';
import { totalWithFee } from '../../shared/core/money.ts';
import { type RawItem, scanTable } from './table.ts';

/** A count, or an amount in minor units, that differs from the recomputed one. */
export interface CodeDifference {
  subject: string;
  expected: bigint;
  found: bigint;
}

/**
 * Recounts the uses of every code from the orders that hold their tickets, per code and per buyer, and checks the
 * amounts of orders with codes. A scan is not a snapshot, so an order that changes during the reconciliation may appear
 * as a difference.
 */
export async function findCodeDifferences(read = scanTable): Promise<CodeDifference[]> {
  const items = await read();
  const ordersWithCode = items.filter(({ sk, redemption }) => sk === 'ORDER' && redemption);
  const holdingOrders = ordersWithCode.filter(({ holdsInventory }) => holdsInventory);
  const codes = items.filter(({ sk }) => sk.startsWith('CODE#'));
  return [
    ...codes.flatMap((code) => checkCode(code, holdingOrders)),
    ...items.filter(({ sk }) => sk === 'BUYER').flatMap((buyer) => checkBuyer(buyer, holdingOrders)),
    ...ordersWithCode.map(checkOrder),
    ...holdingOrders
      .filter(({ redemption }) => redemption.isCounted)
      .map((order) => checkCodeExists(order, codes)),
  ].filter(({ expected, found }) => expected !== found);
}

function checkCode(code: RawItem, holdingOrders: RawItem[]): CodeDifference[] {
  const countedOrders = holdingOrders.filter(
    ({ eventId, redemption }) =>
      eventId === code.eventId && redemption.code === code.code && redemption.isCounted,
  );
  const overruns = countedOrders.filter(({ redemption }) => redemption.isOverLimit);
  const compare = (subject: string, expected: bigint, found: unknown) => ({
    subject: `code ${code.code} of event ${code.eventId}: ${subject}`,
    expected,
    found: BigInt(found as number),
  });
  return [
    compare('uses', BigInt(countedOrders.length), code.uses),
    compare('totalDiscount', totalDiscount(countedOrders), code.totalDiscount),
    compare('overLimit', BigInt(overruns.length), code.overLimit),
  ];
}

/** Checks a buyer's counters of codes against their orders that hold tickets. */
function checkBuyer(buyer: RawItem, holdingOrders: RawItem[]): CodeDifference[] {
  const [, eventId, userId] = buyer.pk.split('#');
  const ordersOfBuyer = holdingOrders.filter((order) => order.eventId === eventId && order.userId === userId);
  const orderCounters = ordersOfBuyer.map(({ redemption }) => codeCounter(redemption.code));
  const storedCounters = Object.keys(buyer).filter((name) => name.startsWith('code_'));
  return [...new Set([...storedCounters, ...orderCounters])].map((name) => ({
    subject: `buyer ${userId} of event ${eventId}: ${name}`,
    expected: BigInt(orderCounters.filter((counter) => counter === name).length),
    found: BigInt(buyer[name] ?? 0),
  }));
}

/** Checks that an order's total is its discounted price (`subtotal`) plus the fee on it. */
function checkOrder({ id, subtotal, totalAmount }: RawItem): CodeDifference {
  return {
    subject: `order ${id}: total`,
    expected: totalWithFee(BigInt(subtotal)),
    found: BigInt(totalAmount),
  };
}

/** Checks that the code of an order exists. */
function checkCodeExists({ id, eventId, redemption }: RawItem, codes: RawItem[]): CodeDifference {
  const found = codes.filter((code) => code.eventId === eventId && code.code === redemption.code);
  return { subject: `order ${id}: its code`, expected: 1n, found: BigInt(found.length) };
}

const totalDiscount = (orders: RawItem[]) =>
  orders.reduce((total, { discount }) => total + BigInt(discount ?? 0), 0n);
