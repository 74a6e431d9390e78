import * as z from 'zod';
import { randomCode } from '../../core/ids.ts';
import { seatNumber, ticketId } from '../ticket.ts';

/**
 * Identifies a seat: one ticket of an order, numbered from 1. A seat exists before its NFT is minted, and also if no
 * NFT is ever minted.
 */
export interface SeatReference {
  orderId: string;
  number: number;
}

/** The attendee of a seat, for check-in. */
const attendee = z.object({ name: z.string(), email: z.string().optional() });
export type Attendee = z.infer<typeof attendee>;

/** The latest offer to transfer the seat to another account. */
const offer = z.object({
  /** The token of the offer's link. Only the account of `email` may accept the offer. */
  token: z.string(),
  /** Trimmed and in lower case. */
  email: z.string(),
  fromUserId: z.string(),
  at: z.string(),
  status: z.enum(['open', 'accepted', 'withdrawn']),
});
export type Offer = z.infer<typeof offer>;

/** A seat as it is stored. A seat is stored when it first changes. Times are ISO 8601 in UTC. */
const seat = z.object({
  orderId: z.string(),
  number: z.number(),
  /** The number of transfers. A check-in code contains it, so each transfer invalidates earlier codes. */
  transfers: z.number().default(0),
  /**
   * The account that holds the seat. The buyer holds a seat without this field. The first transfer sets it and the next
   * two fields.
   */
  holderUserId: z.string().optional(),
  eventId: z.string().optional(),
  buyerUserId: z.string().optional(),
  attendee: attendee.optional(),
  offer: offer.optional(),
  /**
   * The wallet that must own the NFT at check-in. A claim sets it to the linked wallet of the claimant, who owns the
   * NFT. When absent, it is the wallet that the NFT was minted to.
   */
  wallet: z.string().optional(),
  /** The account that held the seat before the claim. */
  claimedFrom: z.string().optional(),
  checkedInAt: z.string().optional(),
  /** The user who scanned it. */
  checkedInBy: z.string().optional(),
  /** The scan's id, if the scanner sent one. */
  scanId: z.string().optional(),
  /** Whether the chain confirmed the owner of the token at the scan; absent when the scan did not query the chain. */
  chainChecked: z.boolean().optional(),
});
export type Seat = z.infer<typeof seat>;

/** The admission of a seat. */
export type Admission = Pick<Seat, 'scanId' | 'chainChecked'> &
  Required<Pick<Seat, 'checkedInAt' | 'checkedInBy'>>;

export function toSeat(item: unknown): Seat {
  return seat.parse(item);
}

/** Returns the stored seat. Without an item, returns the initial seat, which the buyer holds. */
export function seatOrInitial({ orderId, number }: SeatReference, item: unknown): Seat {
  return item === undefined ? { orderId, number, transfers: 0 } : toSeat(item);
}

/** Returns the account that holds a seat of an order. */
export function holderOf({ holderUserId }: Seat, order: { userId: string }): string {
  return holderUserId ?? order.userId;
}

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
