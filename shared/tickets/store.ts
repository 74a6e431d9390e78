import { getItem, type Item } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { type PageQuery, queryPage } from '../dynamo/query.ts';
import { put, update, type Write, write } from '../dynamo/write.ts';
import { type Ticket, ticketIdPrefix } from './ticket.ts';

/** The ticket was stored before: for whoever stores it again after a crash, as good as done. */
export class TicketExists extends Error {}

function toTicket(item: Item): Ticket {
  return {
    id: item.id,
    tokenId: item.tokenId,
    contractAddress: item.contractAddress,
    chainId: item.chainId,
    txHash: item.txHash,
    eventId: item.eventId,
    orderId: item.orderId,
    owner: item.owner,
    userId: item.userId,
    createdAt: item.createdAt,
    burnedAt: item.burnedAt,
  };
}

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

/** Notes that a ticket's token was burned; nothing happens when there is no such ticket. */
export async function markBurned(userId: string, id: string, burnedAt: string): Promise<void> {
  const condition = { when: 'attribute_exists(#pk)', refused: () => new TicketMissing() };
  try {
    await write(update(keys.ticket(userId, id), { set: { burnedAt } }, condition));
  } catch (error) {
    if (!(error instanceof TicketMissing)) throw error;
  }
}

/** Names another transaction as the one that minted a stored ticket: a reorganisation had it mined instead. */
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

/** A user's tickets, those of the newest order first, or only those of one order, of one event, or of both. */
export async function findTickets(
  userId: string,
  { orderId, eventId, ...query }: PageQuery & { orderId?: string; eventId?: string },
): Promise<{ tickets: Ticket[]; nextCursor: string | null }> {
  const { pk, sk: prefix } = keys.ticket(userId, orderId ? ticketIdPrefix(orderId) : '');
  const filter = eventId ? (item: Item) => item.eventId === eventId : undefined;
  const { items, nextCursor } = await queryPage({ partition: pk, prefix, filter }, query);
  return { tickets: items.map(toTicket), nextCursor };
}
