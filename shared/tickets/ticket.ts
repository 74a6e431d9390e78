/** One minted token. Addresses are checksummed, `tokenId` is decimal, times are ISO 8601 in UTC. */
export interface Ticket {
  id: string;
  tokenId: string;
  contractAddress: string;
  chainId: number;
  /** The transaction that minted it. */
  txHash: string;
  eventId: string;
  orderId: string;
  /** The wallet it was minted to. */
  owner: string;
  /** The buyer. */
  userId: string;
  createdAt: string;
  /** When its token was burned because the order was refunded. */
  burnedAt?: string;
}

/** The id of an order's ticket by its number, from 1 on: those of one order stand together, in their order. */
export function ticketId(orderId: string, number: number): string {
  return `${ticketIdPrefix(orderId)}${String(number).padStart(3, '0')}`;
}

/** Which of its order's tickets an id names, from 1 on. */
export function seatNumber(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

/** What the ids of an order's tickets, and no others, begin with. */
export function ticketIdPrefix(orderId: string): string {
  return `${orderId}-`;
}
