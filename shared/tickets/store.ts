import { getItem, type Item } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { type PageQuery, queryPage } from '../dynamo/query.ts';
import { put, update, type Write, write } from '../dynamo/write.ts';
import { type Ticket, ticketIdPrefix, toTicket } from './ticket.ts';

/** The ticket is stored already: after a crash, storing it again is done. */
export class TicketExists extends Error {}

/** Refused with TicketExists when it is there already, and with a plain Error when its id has another token. */
export function insertTicket(ticket: Ticket): Write {
  return put(
    { ...keys.ticket(ticket.userId, ticket.id), ...ticket },
    {
      when: 'attribute_not_exists(#pk)',
      refused: (stored) =>
        stored?.tokenId === ticket.tokenId
          ? new TicketExists(`Ticket ${ticket.id} is stored`)
          : new Error(`Ticket ${ticket.id} has token ${stored?.tokenId}, not ${ticket.tokenId}`),
    },
  );
}

export async function findTicket(userId: string, id: string): Promise<Ticket | undefined> {
  const item = await getItem(keys.ticket(userId, id));
  return item && toTicket(item);
}

class TicketMissing extends Error {}

/** Marks a ticket's token as burned; does nothing when there is no such ticket. */
export async function markBurned(userId: string, id: string, burnedAt: string): Promise<void> {
  const condition = { when: 'attribute_exists(#pk)', refused: () => new TicketMissing() };
  try {
    await write(update(keys.ticket(userId, id), { set: { burnedAt } }, condition));
  } catch (error) {
    if (!(error instanceof TicketMissing)) throw error;
  }
}

/** Replaces the transaction that minted a stored ticket, after a reorganisation of the chain. */
export function correctTicket({ id, userId, tokenId, txHash }: Ticket): Write {
  return update(
    keys.ticket(userId, id),
    { set: { txHash } },
    {
      when: '#tokenId = :tokenId',
      values: { tokenId },
      refused: () => new Error(`Ticket ${id} is not stored, or has another token`),
    },
  );
}

/** Lists a page of a user's tickets, the newest order's first; optionally those of one order or event. */
export async function findTickets(
  userId: string,
  { orderId, eventId, ...query }: PageQuery & { orderId?: string; eventId?: string },
): Promise<{ tickets: Ticket[]; nextCursor: string | null }> {
  const { pk, sk: prefix } = keys.ticket(userId, orderId ? ticketIdPrefix(orderId) : '');
  const filter = eventId ? (item: Item) => item.eventId === eventId : undefined;
  const { items, nextCursor } = await queryPage({ partition: pk, prefix, filter }, query);
  return { tickets: items.map(toTicket), nextCursor };
}
