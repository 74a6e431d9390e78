import * as z from 'zod';
import { type EventTexts, toEvent, toEventTexts, withTexts } from '../../catalog/events/event.ts';
import { getItem, getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import { putAll } from '../../dynamo/write.ts';
import { toOrder } from '../../orders/order.ts';
import { seatOrInitial } from '../seats/seat.ts';
import { ticketId, toTicket } from '../ticket.ts';

/** The consecutive tokens that a contract mints for one order, as they are stored. */
const tokenRange = z.object({
  chainId: z.number(),
  contract: z.string(),
  orderId: z.string(),
  eventId: z.string(),
  /** The buyer. */
  userId: z.string(),
  quantity: z.number(),
  /**
   * The number of the issue, from 2 on, when the order's tickets were burned and minted again; absent for the first
   * issue.
   */
  issue: z.number().optional(),
  /** The numbers of the tokens' seats; absent for all seats of the order. */
  seats: z.array(z.number()).optional(),
});
export type TokenRange = z.infer<typeof tokenRange>;

/** The last 16 bits of a token's id are its position in its range, from 0 on. */
const positionBits = 16n;

/**
 * Stores ranges before their tokens are minted, so that wallets find the metadata as soon as a token exists. A token id
 * always belongs to the same order, so storing a range again has no effect.
 */
export async function putTokenRanges(
  ranges: readonly (TokenRange & { firstTokenId: bigint })[],
): Promise<void> {
  await putAll(
    ranges.map(({ firstTokenId, ...range }) => ({
      ...keys.tokenRange(range.chainId, range.contract, firstTokenId),
      ...range,
    })),
  );
}

/** A token within its range. */
export interface MintedToken {
  range: TokenRange;
  tokenId: bigint;
  /** The number of its seat within the order, from 1 on. */
  seatNumber: number;
}

/** Finds a token by its id; undefined when this service did not mint it. */
export async function findMintedToken(
  chainId: number,
  contract: string,
  tokenId: bigint,
): Promise<MintedToken | undefined> {
  const position = Number(tokenId & ((1n << positionBits) - 1n));
  const item = await getItem(keys.tokenRange(chainId, contract, tokenId - BigInt(position)));
  if (!item) return undefined;
  const range = tokenRange.parse(item);
  if (position >= range.quantity) return undefined;
  return { range, tokenId, seatNumber: range.seats?.[position] ?? position + 1 };
}

/** Reads the sources of a token's metadata in one request. A missing item is undefined. */
export async function readTokenSources({ range: { orderId, eventId, userId }, seatNumber }: MintedToken) {
  const [order, event, texts, ticket, seatItem] = await getItems([
    keys.order(orderId),
    keys.event(eventId),
    keys.eventTexts(eventId),
    keys.ticket(userId, ticketId(orderId, seatNumber)),
    keys.seat(orderId, seatNumber),
  ]);
  const eventTexts: EventTexts | undefined = texts && toEventTexts(texts);
  return {
    order: order && toOrder(order),
    event: event && withTexts(toEvent(event), eventTexts),
    ticket: ticket && toTicket(ticket),
    isAdmitted: seatOrInitial({ orderId, number: seatNumber }, seatItem).checkedInAt !== undefined,
  };
}
