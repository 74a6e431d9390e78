import { totalWithFee } from '../../shared/core/money.ts';
import { codeCounter } from '../../shared/inventory/store.ts';
import { type RawItem, scanTable } from './scan-table.ts';

/** A count, or an amount in minor units, that differs from the recomputed one. */
export interface CodeDifference {
  subject: string;
  expected: bigint;
  found: bigint;
}

/**
 * Recounts the uses of every code from the orders that hold their tickets, per code and per buyer, and checks the amounts
 * of orders with codes. A scan of the whole table is no snapshot, so an order that changes during the audit may appear
 * as a difference.
 */
export async function auditCodes(read = scanTable): Promise<CodeDifference[]> {
  const items = await read();
  const coded = items.filter(({ sk, redemption }) => sk === 'ORDER' && redemption);
  const holding = coded.filter(({ holdsSeat }) => holdsSeat);
  const codes = items.filter(({ sk }) => sk.startsWith('CODE#'));
  return [
    ...codes.flatMap((code) => auditCode(code, holding)),
    ...items.filter(({ sk }) => sk === 'BUYER').flatMap((buyer) => auditBuyer(buyer, holding)),
    ...coded.map(auditOrder),
    ...holding.filter(({ redemption }) => redemption.isCounted).map((order) => auditCounted(order, codes)),
  ].filter(({ expected, found }) => expected !== found);
}

function auditCode(code: RawItem, holding: RawItem[]): CodeDifference[] {
  const counted = holding.filter(
    ({ eventId, redemption }) =>
      eventId === code.eventId && redemption.code === code.code && redemption.isCounted,
  );
  const overruns = counted.filter(({ redemption }) => redemption.isOverrun);
  const compare = (subject: string, expected: bigint, found: unknown) => ({
    subject: `code ${code.code} of event ${code.eventId}: ${subject}`,
    expected,
    found: BigInt(found as number),
  });
  return [
    compare('uses', BigInt(counted.length), code.uses),
    compare('given', sum(counted), code.given),
    compare('overruns', BigInt(overruns.length), code.overruns),
  ];
}

/** Checks a buyer's counters of codes against their orders that hold tickets. */
function auditBuyer(buyer: RawItem, holding: RawItem[]): CodeDifference[] {
  const [, eventId, userId] = buyer.pk.split('#');
  const ordersOfBuyer = holding.filter((order) => order.eventId === eventId && order.userId === userId);
  const counters = ordersOfBuyer.map(({ redemption }) => codeCounter(redemption.code));
  const names = Object.keys(buyer).filter((name) => name.startsWith('code_'));
  return [...new Set([...names, ...counters])].map((name) => ({
    subject: `buyer ${userId} of event ${eventId}: ${name}`,
    expected: BigInt(counters.filter((counter) => counter === name).length),
    found: BigInt(buyer[name] ?? 0),
  }));
}

/** Checks that the fee of an order is that of its discounted price. */
function auditOrder({ id, subtotal, totalAmount }: RawItem): CodeDifference {
  return {
    subject: `order ${id}: total`,
    expected: totalWithFee(BigInt(subtotal)),
    found: BigInt(totalAmount),
  };
}

/** Checks that the code which counts an order still exists. */
function auditCounted({ id, eventId, redemption }: RawItem, codes: RawItem[]): CodeDifference {
  const found = codes.filter((code) => code.eventId === eventId && code.code === redemption.code);
  return { subject: `order ${id}: its code`, expected: 1n, found: BigInt(found.length) };
}

const sum = (orders: RawItem[]) => orders.reduce((total, { discount }) => total + BigInt(discount ?? 0), 0n);
