import type { Event } from '../../catalog/events/event.ts';
import { admissionError } from '../check-in/admissions.ts';
import { signCode } from '../check-in/check-in-code.ts';
import type { SeatContext } from './find-seat.ts';
import { holderOf } from './seat.ts';
import type { SeatView } from './seat-view.ts';

/** Converts a seat to the API's view, for its holder or for the buyer who transferred it. */
export async function toSeatView(userId: string, seatContext: SeatContext): Promise<SeatView> {
  const { seat, order, event } = seatContext;
  const status = seatStatusOf(userId, seatContext);
  const seatFields = {
    orderId: seat.orderId,
    number: seat.number,
    event: toEventPart(event),
    tier: {
      id: order.tierId,
      name: event.tiers.find(({ id }) => id === order.tierId)?.name ?? '',
    },
    status,
  };
  // The buyer of a transferred seat sees neither its attendee nor its admission.
  if (holderOf(seat, order) !== userId) return { ...seatFields, attendee: null, checkedInAt: null };
  const { attendee, offer, checkedInAt = null } = seat;
  const code = admissionError(order, event) ? undefined : await signCode(seat);
  return {
    ...seatFields,
    attendee: attendee ? { name: attendee.name, email: attendee.email ?? null } : null,
    ...(code && { code, qr: `/api/tickets/qr/${code}` }),
    ...toTokenPart(seatContext),
    ...(status === 'offered' && offer && { offer: toOfferView(offer) }),
    checkedInAt,
  };
}

function seatStatusOf(userId: string, { seat, order }: SeatContext): SeatView['status'] {
  if (order.refund || !order.holdsInventory || order.fulfilmentStatus === 'refund-due') return 'refunded';
  if (holderOf(seat, order) !== userId) return 'moved';
  if (seat.checkedInAt !== undefined) return 'admitted';
  return seat.offer?.status === 'open' ? 'offered' : 'held';
}

function toTokenPart({ ticket }: SeatContext): Pick<SeatView, 'token'> {
  if (!ticket || ticket.burnedAt) return {};
  const { chainId, contractAddress, tokenId } = ticket;
  return { token: { chainId, contractAddress, tokenId } };
}

function toOfferView({ token, email, at }: { token: string; email: string; at: string }) {
  return { token, email, createdAt: at };
}

function toEventPart({
  id,
  title,
  venue,
  city,
  timezone,
  eventDate,
  status,
  entry,
  allowTransfers,
}: Event): SeatView['event'] {
  return { id, title, venue, city, timezone, eventDate, status, entry, allowTransfers };
}
