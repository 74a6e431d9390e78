import { countTickets } from '../../catalog/inventory/inventory.ts';
import { connect, readFromAllNodes } from '../../chain/connection.ts';
import { readOwner } from '../../chain/token-owner.ts';
import { unavailable } from '../../core/errors.ts';
import { type Order, seatNumbersOfIssue } from '../../orders/order.ts';
import { mapInChunks } from '../../runtime/retry.ts';
import { findTicketsById } from '../../tickets/store.ts';
import { ticketId } from '../../tickets/ticket.ts';
import { burnId, mintedPart } from './store.ts';

/**
 * Where the tokens of some seats are. `moved`: one is in another wallet than the one that it was minted to, or a reissue left
 * it out because it was. `held`: one is still there, and none has moved. `gone`: all are burned, or were never minted.
 */
type TokenPlace = 'moved' | 'held' | 'gone';

/**
 * Asks the nodes where the tokens of some seats of an order are: those of the current issue, and those that moved before a
 * reissue. A report of one node that a token has moved suffices.
 * @throws DomainError 503 when no node answers
 */
export async function locateTokens(
  order: Pick<Order, 'id' | 'userId' | 'items' | 'issue'>,
  seats: readonly number[],
): Promise<TokenPlace> {
  const idsOf = (numbers: readonly number[]) => numbers.map((number) => ticketId(order.id, number));
  const ids = idsOf(seats.filter((number) => number <= countTickets(order.items)));
  const tickets = (await findTicketsById(order.userId, ids)).filter(({ burnedAt }) => burnedAt === undefined);
  const [first] = tickets;
  if (!first) return 'gone';
  const connection = await connect(first.chainId);
  // Burns are of the current issue only: a refund could burn no other token, wherever it is by now.
  const burnable = new Set(idsOf(seatNumbersOfIssue(order)));
  const places = await mapInChunks(tickets, async (ticket): Promise<TokenPlace> => {
    const owners = connection ? await readFromAllNodes(connection, (node) => readOwner(node, ticket)) : [];
    if (owners.length === 0)
      throw unavailable('The chain does not answer, so nobody knows whether a ticket was sold', 30);
    const holder = burnable.has(ticket.id) ? ticket.owner : undefined;
    if (owners.some((owner) => owner !== undefined && owner !== holder)) return 'moved';
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
