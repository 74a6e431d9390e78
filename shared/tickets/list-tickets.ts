import type { PageQuery } from '../dynamo/page.ts';
import { findTickets } from './store.ts';
import type { Ticket } from './ticket.ts';

/** A ticket as the API shows it. */
type TicketView = Omit<Ticket, 'userId' | 'burnedAt'> & { burnedAt: string | null };

/** A page of a user's tickets as the API shows them. */
export async function listTickets(
  userId: string,
  query: PageQuery & { orderId?: string; eventId?: string },
): Promise<{ tickets: TicketView[]; nextCursor: string | null }> {
  const { tickets, nextCursor } = await findTickets(userId, query);
  const shown = tickets.map(({ userId: _, burnedAt = null, ...ticket }) => ({ ...ticket, burnedAt }));
  return { tickets: shown, nextCursor };
}
