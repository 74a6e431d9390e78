import * as z from 'zod';

/** A seat of an order, by its number from 1 on, whether or not a token was minted for it. */
export interface SeatReference {
  orderId: string;
  number: number;
}

/** Who sits there, for the people at the door. */
const attendee = z.object({ name: z.string(), email: z.string().optional() });
export type Attendee = z.infer<typeof attendee>;

/** The last offer to hand the seat to another account. */
const offer = z.object({
  /** Names the offer in links; only the account of `email` may accept it. */
  token: z.string(),
  /** Normalized as accounts' addresses are. */
  email: z.string(),
  fromUserId: z.string(),
  at: z.string(),
  status: z.enum(['open', 'accepted', 'withdrawn']),
});
export type Offer = z.infer<typeof offer>;

/** A seat to which something has happened, as it is stored. Times are ISO 8601 in UTC. */
const seat = z.object({
  orderId: z.string(),
  number: z.number(),
  /** How many times it has changed hands: a code admits only at the epoch it was made for. */
  epoch: z.number().default(0),
  /** The account that holds it. Absent until it first changes hands, as the next two are: then it is the buyer. */
  holderUserId: z.string().optional(),
  eventId: z.string().optional(),
  buyerUserId: z.string().optional(),
  attendee: attendee.optional(),
  offer: offer.optional(),
  /** The linked wallet by which its holder claimed it. Absent: the wallet that its token was minted to. */
  wallet: z.string().optional(),
  /** The account that held it before it was claimed. */
  claimedFrom: z.string().optional(),
  checkedInAt: z.string().optional(),
  /** The user who scanned it. */
  checkedInBy: z.string().optional(),
  /** Names that scan, where the scanner did. */
  scanId: z.string().optional(),
});
export type Seat = z.infer<typeof seat>;

/** Reads a stored item as a seat. @throws ZodError for an item that is none */
export function toSeat(item: unknown): Seat {
  return seat.parse(item);
}

/** The seat as it stands: as stored, or as it is while nothing has happened to it. */
export function seatOf({ orderId, number }: SeatReference, item: unknown): Seat {
  return item === undefined ? { orderId, number, epoch: 0 } : toSeat(item);
}

/** The account that holds a seat of an order. */
export function holderOf({ holderUserId }: Seat, order: { userId: string }): string {
  return holderUserId ?? order.userId;
}
