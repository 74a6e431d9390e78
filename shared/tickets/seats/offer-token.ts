import { randomCode } from '../../core/ids.ts';
import { seatNumber, ticketId } from '../ticket.ts';
import type { SeatReference } from './seat.ts';

/** A new token of an offer, which finds its seat. Its last part, 20 letters and digits, can't be guessed. */
export function newOfferToken({ orderId, number }: SeatReference): string {
  return `${ticketId(orderId, number)}-${randomCode(20).toLowerCase()}`;
}

/** The seat that an offer's token is for; undefined for any other text. */
export function seatOfOffer(token: string): SeatReference | undefined {
  const [, id, orderId = ''] = /^((\w+)-\d{3,8})-[0-9a-z]{20}$/.exec(token) ?? [];
  return id === undefined ? undefined : { orderId, number: seatNumber(id) };
}
