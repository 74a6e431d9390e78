import { shortTime } from './format.js';
import { copy } from './template.js';

/**
 * What lets one person in: a seat of an order, or the ticket that was minted for it. Needs the page's template `seat`.
 * @param {{ number?: number, qr: string | null, checkInCode: string | null, checkedInAt: string | null }} seat
 */
export function showSeat(seat) {
  return copy('seat', {
    ...seat,
    name: seat.number && `Ticket ${seat.number}`,
    checkedIn: seat.checkedInAt && `Checked in on ${shortTime(seat.checkedInAt)}`,
  });
}
