import { exponentOf } from '../money.ts';
import type { Order } from './order.ts';

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
