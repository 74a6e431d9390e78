import { randomCode } from '../../core/ids.ts';
import { seatNumber, ticketId } from '../ticket.ts';
import type { SeatReference } from './seat.ts';

/**
 * Creates the token of an offer. The token contains the seat, and ends with 20 random letters and digits, which can't
 * be guessed.
 */
export function newOfferToken({ orderId, number }: SeatReference): string {
  return `${ticketId(orderId, number)}-${randomCode(20).toLowerCase()}`;
}

/** Returns the seat of an offer's token; undefined for any other text. */
export function seatOfOffer(token: string): SeatReference | undefined {
  const [, id, orderId = ''] = /^((\w+)-\d{3,8})-[0-9a-z]{20}$/.exec(token) ?? [];
  return id === undefined ? undefined : { orderId, number: seatNumber(id) };
}
