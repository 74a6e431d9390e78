import type { PageQuery } from '../dynamo/page.ts';
import { findTickets } from './store.ts';
import { toTicketView } from './ticket-view.ts';

/** A page of a user's tickets as the API shows them. */
export async function listTickets(userId: string, query: PageQuery & { orderId?: string; eventId?: string }) {
  const { tickets, nextCursor } = await findTickets(userId, query);
  return { tickets: tickets.map(toTicketView), nextCursor };
}
