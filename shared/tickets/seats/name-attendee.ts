import { write } from '../../dynamo/write.ts';
import { getHeldSeat, type SeatContext } from './find-seat.ts';
import { retryOnChange } from './retry-on-change.ts';
import type { Attendee, SeatReference } from './seat.ts';
import { nameSeat } from './store.ts';

/**
 * Stores the attendee of a seat, which the door is shown.
 * @throws DomainError as `getHeldSeat`
 */
export function nameAttendee(
  userId: string,
  reference: SeatReference,
  attendee: Attendee,
): Promise<SeatContext> {
  return retryOnChange(async () => {
    const held = await getHeldSeat(userId, reference);
    await write(nameSeat(held.seat, attendee));
    return { ...held, seat: { ...held.seat, attendee } };
  });
}
