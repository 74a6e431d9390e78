import { write } from '../../dynamo/write.ts';
import { getHeldSeat, type SeatContext } from './find-seat.ts';
import { retryOnChange } from './retry-on-change.ts';
import type { Attendee, SeatReference } from './seat.ts';
import { setAttendee } from './store.ts';

/**
 * Stores the attendee of a seat. The door shows the attendee's name.
 * @throws DomainError 404 for callers who do not hold the seat; 409 for the buyer who transferred it, and for a seat that
 * was admitted or can't be admitted
 */
export function nameAttendee(
  userId: string,
  reference: SeatReference,
  attendee: Attendee,
): Promise<SeatContext> {
  return retryOnChange(async () => {
    const seatContext = await getHeldSeat(userId, reference);
    await write(setAttendee(seatContext.seat, attendee));
    return { ...seatContext, seat: { ...seatContext.seat, attendee } };
  });
}
