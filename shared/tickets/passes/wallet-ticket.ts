import { type Event, tierNameOf } from '../../catalog/events/event.ts';
import { textsIn } from '../../catalog/texts/texts.ts';
import { DomainError } from '../../core/errors.ts';
import type { Language } from '../../core/schemas.ts';
import { itemOfSeat } from '../../orders/order.ts';
import { admissionError, signCode } from '../check-in/admissions.ts';
import type { SeatContext } from '../seats/find-seat.ts';
import { ticketId } from '../ticket.ts';

/** What a pass shows. */
export interface WalletTicket {
  id: string;
  language: Language;
  event: Event;
  tier: string;
  attendee: string | undefined;
  /** `2 of 5` */
  number: string;
  reference: string;
  transfers: number;
  /** The check-in code; absent for a ticket that is no longer valid. */
  code: string | undefined;
  /** Why nobody is admitted with it any more, in its language. */
  invalidity: string | undefined;
}

/** Returns the error of a service that has no certificate or key for a wallet app. */
export const notConfigured = (app: string) =>
  new DomainError('not-found', 'wallet-not-configured', `There are no passes for ${app}`);

/**
 * Returns what the pass of a seat shows.
 * @throws DomainError 409 while the order is not paid
 */
export async function toWalletTicket({ seat, order, event }: SeatContext): Promise<WalletTicket> {
  const t = textsIn(order.language);
  const refusal = admissionError(order, event, seat.number);
  const invalidities = {
    refunded: t('pass.refunded'),
    'no-seat': t('pass.refunded'),
    'event-cancelled': t('pass.cancelled'),
  };
  const invalidity = refusal && invalidities[refusal.code as keyof typeof invalidities];
  if (refusal && !invalidity) throw refusal;
  return {
    id: ticketId(order.id, seat.number),
    language: order.language,
    event,
    tier: tierNameOf(event, itemOfSeat(order, seat.number)),
    attendee: seat.attendee?.name,
    number: t('pass.number', { number: seat.number, quantity: order.quantity }),
    reference: order.reference,
    transfers: seat.transfers,
    code: refusal ? undefined : await signCode(seat),
    invalidity: invalidity ?? (seat.checkedInAt === undefined ? undefined : t('pass.used')),
  };
}
