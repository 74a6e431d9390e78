import type { PageQuery } from '../dynamo/page.ts';
import { findTickets } from './store.ts';
import type { Ticket } from './ticket.ts';

/** A page of a user's tickets as the API shows them. */
export async function listTickets(
  userId: string,
  query: PageQuery & { orderId?: string; eventId?: string },
): Promise<{ tickets: Omit<Ticket, 'userId'>[]; nextCursor: string | null }> {
  const { tickets, nextCursor } = await findTickets(userId, query);
  return { tickets: tickets.map(({ userId: _, ...shown }) => shown), nextCursor };
}
