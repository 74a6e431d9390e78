import { derivedId, randomCode } from '../core/ids.ts';
import { exponentOf } from '../core/money.ts';
import type { Order } from './order.ts';

/**
 * A payment reference: `BOX`, the end of the event's id, the time in milliseconds, a random suffix. The order's
 * id is derived from it, so that a webhook finds its order by one strongly consistent read, without an index.
 */
export function newReference(eventId: string, now: number): string {
  return `BOX-${eventId.slice(-6).toUpperCase()}-${now}-${randomCode(8)}`;
}

/** The id of the order a reference belongs to; undefined for what can't be a reference of ours. */
export function orderIdOf(reference: string): string | undefined {
  const time = /^BOX-[A-Z0-9]{1,6}-(\d{13})-[A-Z0-9]{8}$/.exec(reference)?.[1];
  return time === undefined ? undefined : derivedId(reference, Number(time));
}

/** What a buyer's wallet needs in order to pay; undefined for orders that are not paid on a chain. */
export function paymentInstructions({ chainTerms, currency, totalAmount, reference, expiresAt }: Order) {
  return (
    chainTerms && {
      ...chainTerms,
      symbol: currency,
      decimals: exponentOf(currency),
      amount: String(totalAmount),
      data: referenceData(reference),
      expiresAt,
    }
  );
}

/** A payment reference as it is appended to a transaction's calldata. */
export function referenceData(reference: string): string {
  return `0x${Buffer.from(reference).toString('hex')}`;
}
