import { countTickets } from '../../catalog/inventory/inventory.ts';
import { connect, readFromAllNodes } from '../../chain/connection.ts';
import { readOwner } from '../../chain/token-owner.ts';
import { unavailable } from '../../core/errors.ts';
import type { Order } from '../../orders/order.ts';
import { mapInChunks } from '../../runtime/retry.ts';
import { findTicketsById } from '../../tickets/store.ts';
import { ticketId } from '../../tickets/ticket.ts';
import { burnId, mintedPart } from './store.ts';

/**
 * Where the tokens of some seats are. `moved`: one is in another wallet than the one that it was minted to. `held`: one is
 * still there, and none has moved. `gone`: all are burned, or were never minted.
 */
type TokenPlace = 'moved' | 'held' | 'gone';

/**
 * Asks the nodes where the tokens of some seats of an order are: those of the current issue, and those that moved before a
 * reissue. A report of one node that a token has moved suffices.
 * @throws DomainError 503 when no node answers
 */
export async function locateTokens(
  { id, userId, items }: Pick<Order, 'id' | 'userId' | 'items'>,
  seats: readonly number[],
): Promise<TokenPlace> {
  const ids = seats.filter((number) => number <= countTickets(items)).map((number) => ticketId(id, number));
  const tickets = (await findTicketsById(userId, ids)).filter(({ burnedAt }) => burnedAt === undefined);
  const [first] = tickets;
  if (!first) return 'gone';
  const connection = await connect(first.chainId);
  const places = await mapInChunks(tickets, async (ticket): Promise<TokenPlace> => {
    const owners = connection ? await readFromAllNodes(connection, (node) => readOwner(node, ticket)) : [];
    if (owners.length === 0)
      throw unavailable('The chain does not answer, so nobody knows whether a ticket was sold', 30);
    if (owners.some((owner) => owner !== undefined && owner !== ticket.owner)) return 'moved';
    return owners.includes(ticket.owner) ? 'held' : 'gone';
  });
  return (['moved', 'held'] as const).find((place) => places.includes(place)) ?? 'gone';
}

/** Returns the ids of all burns that the refunds of an order can have. */
export function burnIdsOf({ id: orderId, issue, refund, refunds = [] }: Order): string[] {
  const parts = [
    ...(refund ? [undefined] : []),
    ...refunds.keys(),
    ...(refunds.length > 0 ? [mintedPart] : []),
  ];
  return parts.map((part) => burnId({ orderId, issue: issue?.number, part }));
}
