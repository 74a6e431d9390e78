import * as z from 'zod';
import { address, identifier, time, transactionHash } from '../core/schemas.ts';
import type { Ticket } from './ticket.ts';

export const ticketView = z
  .object({
    id: z.string(),
    tokenId: z.string().meta({ description: 'Decimal' }),
    contractAddress: address,
    chainId: z.int().meta({ examples: [137] }),
    txHash: transactionHash,
    eventId: identifier,
    orderId: identifier,
    owner: address.meta({ description: 'The wallet it was minted to' }),
    createdAt: time,
    burnedAt: time.nullable().meta({ description: 'When the token was burned, after a refund' }),
  })
  .meta({ id: 'Ticket' });

/** A ticket as its buyer sees it. */
export function toTicketView({ userId: _, burnedAt, ...shown }: Ticket): z.infer<typeof ticketView> {
  return { ...shown, burnedAt: burnedAt ?? null };
}
