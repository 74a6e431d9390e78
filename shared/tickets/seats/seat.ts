import * as z from 'zod';

/** Identifies a seat by its order and its number, from 1 on. A seat exists with or without a token. */
export interface SeatReference {
  orderId: string;
  number: number;
}

/** The attendee of a seat, for check-in. */
const attendee = z.object({ name: z.string(), email: z.string().optional() });
export type Attendee = z.infer<typeof attendee>;

/** The last offer to hand the seat to another account. */
const offer = z.object({
  /** The token of the offer's link. Only the account of `email` may accept the offer. */
  token: z.string(),
  /** Normalized like the addresses of accounts. */
  email: z.string(),
  fromUserId: z.string(),
  at: z.string(),
  status: z.enum(['open', 'accepted', 'withdrawn']),
});
export type Offer = z.infer<typeof offer>;

/** A seat as it is stored, from its first change on. Times are ISO 8601 in UTC. */
const seat = z.object({
  orderId: z.string(),
  number: z.number(),
  /** The number of times the seat has changed hands. A code is valid only at the epoch it was signed for. */
  epoch: z.number().default(0),
  /**
   * The account that holds the seat. Absent until the seat first changes hands, like the next two fields: the buyer
   * holds it then.
   */
  holderUserId: z.string().optional(),
  eventId: z.string().optional(),
  buyerUserId: z.string().optional(),
  attendee: attendee.optional(),
  offer: offer.optional(),
  /**
   * The linked wallet that the holder claimed the seat with. When absent, it is the wallet that the token was minted
   * to.
   */
  wallet: z.string().optional(),
  /** The account that held the seat before the claim. */
  claimedFrom: z.string().optional(),
  checkedInAt: z.string().optional(),
  /** The user who scanned it. */
  checkedInBy: z.string().optional(),
  /** The scan's id, if the scanner sent one. */
  scanId: z.string().optional(),
});
export type Seat = z.infer<typeof seat>;

/** Reads a stored item as a seat. @throws ZodError for an item that is none */
export function toSeat(item: unknown): Seat {
  return seat.parse(item);
}

/** Returns a seat from its stored item, or an unchanged seat when there is none. */
export function seatOf({ orderId, number }: SeatReference, item: unknown): Seat {
  return item === undefined ? { orderId, number, epoch: 0 } : toSeat(item);
}

/** Returns the account that holds a seat of an order. */
export function holderOf({ holderUserId }: Seat, order: { userId: string }): string {
  return holderUserId ?? order.userId;
}
