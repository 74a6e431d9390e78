import * as z from 'zod';
import { type EventTexts, toEvent, toEventTexts, withTexts } from '../catalog/events/event.ts';
import { keys } from '../dynamo/keys.ts';
import { getItem, getItems, type Item, queryAll } from '../dynamo/read.ts';
import { put, putAll, update, type Write, write } from '../dynamo/write.ts';
import { toOrder } from '../orders/order.ts';
import { seatOrInitial, type Ticket, ticketId, toTicket } from './ticket.ts';

/** The ticket is stored already, e.g. when a mint is recorded again after a crash. */
export class TicketExists extends Error {}

/**
 * Inserts a ticket.
 * @throws TicketExists from the write when the ticket is stored already, Error when its id has another token
 */
export function insertTicket(ticket: Ticket): Write {
  return put(
    { ...keys.ticket(ticket.userId, ticket.id), ...ticket },
    {
      when: 'attribute_not_exists(#pk)',
      orThrow: (stored) => insertError(ticket, stored),
    },
  );
}

function insertError({ id, tokenId }: Ticket, storedItem: Item | undefined): Error {
  return storedItem?.tokenId === tokenId
    ? new TicketExists(`Ticket ${id} is stored`)
    : new Error(`Ticket ${id} has token ${storedItem?.tokenId}, not ${tokenId}`);
}

export async function findTicket(userId: string, id: string): Promise<Ticket | undefined> {
  const item = await getItem(keys.ticket(userId, id));
  return item && toTicket(item);
}

/** Finds several tickets of a user. Returns those that exist, in the sequence of the ids. */
export async function findTicketsById(userId: string, ids: readonly string[]): Promise<Ticket[]> {
  const items = await getItems(ids.map((id) => keys.ticket(userId, id)));
  return items.flatMap((item) => (item ? [toTicket(item)] : []));
}

/** Replaces a ticket whose token was burned. @throws as `insertTicket` */
export function replaceTicket(ticket: Ticket): Write {
  const { tokenId } = ticket;
  return put(
    { ...keys.ticket(ticket.userId, ticket.id), ...ticket },
    {
      when: 'attribute_not_exists(#pk) OR (attribute_exists(#burnedAt) AND #tokenId <> :tokenId)',
      values: { tokenId },
      orThrow: (stored) => insertError(ticket, stored),
    },
  );
}

class TicketMissing extends Error {}

/** Marks a ticket's token as burned; does nothing when there is no ticket with this token. */
export async function markBurned(
  userId: string,
  id: string,
  tokenId: string,
  burnedAt: string,
): Promise<void> {
  const condition = {
    when: '#tokenId = :tokenId',
    values: { tokenId },
    orThrow: () => new TicketMissing(),
  };
  try {
    await write(update(keys.ticket(userId, id), { set: { burnedAt } }, condition));
  } catch (error) {
    if (!(error instanceof TicketMissing)) throw error;
  }
}

/** Corrects the transaction of a stored ticket, after a reorganisation of the chain. */
export function correctTicket({ id, userId, tokenId, txHash }: Ticket): Write {
  return update(
    keys.ticket(userId, id),
    { set: { txHash } },
    {
      when: '#tokenId = :tokenId',
      values: { tokenId },
      orThrow: () => new Error(`Ticket ${id} is not stored, or has another token`),
    },
  );
}

/**
 * Lists the tickets of a buyer. Those of the newest order come first.
 * @param range ticket ids: `from` is included, `to` is excluded
 */
export async function* findTickets(
  userId: string,
  range: { from: string; to: string },
  pageSize: number,
): AsyncGenerator<Ticket> {
  const { pk: partition, sk: from } = keys.ticket(userId, range.from);
  const source = { partition, from, to: keys.ticket(userId, range.to).sk };
  for await (const item of queryAll(source, pageSize)) {
    const ticket = toTicket(item);
    if (ticket.id < range.to) yield ticket;
  }
}

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
 * Stores ranges before their tokens are minted, so wallets find the metadata as soon as a token exists. A token id
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
