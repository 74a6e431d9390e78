import * as z from 'zod';
import { address, identifier, time, transactionHash } from '../core/schemas.ts';

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

/** Parses a stored item as a ticket. @throws ZodError for any other item */
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
      description: 'The wallet that the token was minted to, or that the holder claimed the seat with',
    }),
    createdAt: time,
    burnedAt: time.nullable().meta({ description: 'When the token was burned, for a refund or a reissue' }),
  })
  .meta({ id: 'Ticket' });

/** Returns a ticket as the API shows it to its holder. */
export function toTicketView({ userId: _, burnedAt, ...shown }: Ticket): z.infer<typeof ticketView> {
  return { ...shown, burnedAt: burnedAt ?? null };
}

/** Returns the id of an order's ticket by its number, from 1 on. The ids of one order sort by number. */
export function ticketId(orderId: string, number: number): string {
  return `${ticketIdPrefix(orderId)}${String(number).padStart(3, '0')}`;
}

/** Returns the number of a ticket within its order, from 1 on: that of its seat. */
export function seatNumber(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

/** Returns the prefix that only the ids of an order's tickets have. */
export function ticketIdPrefix(orderId: string): string {
  return `${orderId}-`;
}
