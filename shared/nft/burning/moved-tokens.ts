import { countTickets } from '../../catalog/inventory/inventory.ts';
import { connect, readFromAllNodes } from '../../chain/connection.ts';
import { readOwner } from '../../chain/token-owner.ts';
import { unavailable } from '../../core/errors.ts';
import { type Order, seatsOf } from '../../orders/order.ts';
import { mapInChunks } from '../../runtime/retry.ts';
import { findTicketsById } from '../../tickets/store.ts';
import { ticketId } from '../../tickets/ticket.ts';

/**
 * Returns whether a node reports a token of an order, or of some of its seats, in another wallet than the one that it was
 * minted to. These are the tokens of the current issue, and those that moved before a reissue. A burned token is in no
 * wallet.
 * @throws DomainError 503 when no node answers
 */
export async function haveTokensMoved(order: Order, seats?: readonly number[]): Promise<boolean> {
  const { id, userId, items } = order;
  const numbers = seatsOf(order).filter((number) => number <= countTickets(items));
  const ids = numbers
    .filter((number) => !seats || seats.includes(number))
    .map((number) => ticketId(id, number));
  const tickets = (await findTicketsById(userId, ids)).filter(({ burnedAt }) => burnedAt === undefined);
  const [first] = tickets;
  if (!first) return false;
  const connection = await connect(first.chainId);
  const areMoved = await mapInChunks(tickets, async (ticket) => {
    const owners = connection ? await readFromAllNodes(connection, (node) => readOwner(node, ticket)) : [];
    if (owners.length === 0)
      throw unavailable('The chain does not answer, so nobody knows whether a ticket was sold', 30);
    return owners.some((owner) => owner !== undefined && owner !== ticket.owner);
  });
  return areMoved.includes(true);
}
