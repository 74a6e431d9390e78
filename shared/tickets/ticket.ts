import * as z from 'zod';
import { type Belonging, type Caller, owns } from '../accounts/auth/authorize.ts';
import { randomCode } from '../core/ids.ts';
import { address, identifier, time, toView, transactionHash } from '../core/schemas.ts';

/**
 * Identifies a seat: one ticket of an order, numbered from 1. A seat exists before its NFT is minted, and also if no
 * NFT is ever minted.
 */
export interface SeatReference {
  orderId: string;
  number: number;
}

/** The attendee of a seat, for check-in. */
export const attendee = z.object({ name: z.string(), email: z.string().optional() });
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

/** An admission by one of the event's check-in lists. */
const listAdmission = z.object({
  checkedInAt: z.string(),
  checkedInBy: z.string(),
  scanId: z.string().optional(),
  deviceId: z.string().optional(),
  chainChecked: z.boolean().optional(),
  /** When the holder went out again, and the id of that scan. */
  outAt: z.string().optional(),
  outScanId: z.string().optional(),
});

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
  /** The version of the session in which the holder received the seat; absent for 0. */
  holderSessionVersion: z.number().optional(),
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
  /** The device that scanned it, if the scanner named it. */
  deviceId: z.string().optional(),
  /** Whether the chain confirmed the owner of the token at the scan; absent when the scan did not query the chain. */
  chainChecked: z.boolean().optional(),
  /** The last admission by each of the event's lists; the fields above then have the first of all. */
  lists: z.record(z.string(), listAdmission).optional(),
});
export type Seat = z.infer<typeof seat>;

/** The admission of a seat. */
export type Admission = z.infer<typeof listAdmission>;

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

/** Returns whether a caller holds a seat of an order: see `owns`. */
export function isHolder(
  caller: Caller,
  { holderUserId, holderSessionVersion }: Seat,
  order: Belonging,
): boolean {
  const isBuyers = holderUserId === undefined;
  return owns(caller, isBuyers ? order : { userId: holderUserId, sessionVersion: holderSessionVersion });
}

/** Returns the status of a seat for its holder. */
export function heldSeatStatus({ checkedInAt, offer }: Seat): 'held' | 'offered' | 'admitted' {
  if (checkedInAt !== undefined) return 'admitted';
  return offer?.status === 'open' ? 'offered' : 'held';
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

/** A minted token as it is stored. Addresses are checksummed, times are ISO 8601 in UTC. */
const ticket = z.object({
  id: z.string(),
  /** Decimal. */
  tokenId: z.string(),
  contractAddress: z.string(),
  chainId: z.number(),
  /** The transaction that minted it. */
  txHash: z.string(),
  eventId: z.string(),
  orderId: z.string(),
  /** The wallet it was minted to. */
  owner: z.string(),
  /** The buyer. */
  userId: z.string(),
  createdAt: z.string(),
  /** When its token was burned, for a refund or a reissue. */
  burnedAt: z.string().optional(),
});
export type Ticket = z.infer<typeof ticket>;

export function toTicket(item: unknown): Ticket {
  return ticket.parse(item);
}

export const ticketView = z
  .object({
    id: z.string(),
    tokenId: z.string().meta({ description: 'Decimal' }),
    contractAddress: address,
    chainId: z.int().meta({ examples: [137] }),
    txHash: transactionHash.meta({ description: 'The transaction that minted the token' }),
    eventId: identifier,
    orderId: identifier,
    owner: address.meta({
      description:
        'The wallet that the token was minted to or, after a claim, the wallet that claimed the seat',
    }),
    createdAt: time,
    burnedAt: time.nullable().meta({ description: 'When the token was burned, for a refund or a reissue' }),
  })
  .meta({ id: 'Ticket' });

/** Returns a ticket as the API shows it to its holder. */
export function toTicketView(ticket: Ticket): z.infer<typeof ticketView> {
  return toView(ticketView, ticket, {});
}

/** Returns the id of the ticket for an order's seat, by the seat's number (from 1 on). Ids up to 999 sort by number. */
export function ticketId(orderId: string, number: number): string {
  return `${ticketIdPrefix(orderId)}${String(number).padStart(3, '0')}`;
}

/** Returns the number of a ticket's seat within the order, from 1 on. @param id the ticket's id */
export function seatNumber(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

/** Returns the prefix of the ids of an order's tickets. No ticket of another order has it. */
export function ticketIdPrefix(orderId: string): string {
  return `${orderId}-`;
}
