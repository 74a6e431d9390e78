import * as z from 'zod';
import { address, identifier, time, transactionHash } from '../core/schemas.ts';
import { toView } from '../core/view.ts';

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
