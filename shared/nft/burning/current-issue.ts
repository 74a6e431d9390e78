import { type Order, seatNumbersOfIssue } from '../../orders/order.ts';
import { findTicket } from '../../tickets/store.ts';
import { ticketId } from '../../tickets/ticket.ts';
import type { Burn } from './burn.ts';

/** Builds the burn of a minted order's current tokens. @throws Error when the order has no ticket */
export async function burnOfCurrentIssue(order: Order): Promise<Omit<Burn, 'status'>> {
  const { id: orderId, userId, issue } = order;
  const [firstSeat = 1, ...others] = seatNumbersOfIssue(order);
  const ticket = await findTicket(userId, ticketId(orderId, firstSeat));
  if (!ticket) throw new Error(`Order ${orderId} is minted, but has no ticket`);
  const { chainId, contractAddress: contract, owner: holder } = ticket;
  const quantity = 1 + others.length;
  return { orderId, userId, quantity, chainId, contract, holder, ...(issue && { issue: issue.number }) };
}
