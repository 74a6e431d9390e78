import * as z from 'zod';

/** A seat of an order, by its number from 1 on, whether or not a token was minted for it. */
export interface SeatReference {
  orderId: string;
  number: number;
}

/** A seat to which something has happened, as it is stored. Times are ISO 8601 in UTC. */
const seat = z.object({
  orderId: z.string(),
  number: z.number(),
  /** How many times it has changed hands: a code admits only at the epoch it was made for. */
  epoch: z.number().default(0),
  /** The account that holds it. Absent until it first changes hands: then it is the buyer. */
  holderUserId: z.string().optional(),
  checkedInAt: z.string().optional(),
  /** The user who scanned it. */
  checkedInBy: z.string().optional(),
});
export type Seat = z.infer<typeof seat>;

/** Reads a stored item as a seat. @throws ZodError for an item that is none */
export function toSeat(item: unknown): Seat {
  return seat.parse(item);
}

/** The seat as it stands: as stored, or as it is while nothing has happened to it. */
export function seatOf(reference: SeatReference, item: unknown): Seat {
  return item === undefined ? { ...reference, epoch: 0 } : toSeat(item);
}

/** The account that holds a seat of an order. */
export function holderOf({ holderUserId }: Seat, order: { userId: string }): string {
  return holderUserId ?? order.userId;
}
