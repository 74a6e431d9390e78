import * as z from 'zod';
import { conflict } from '../core/errors.ts';
import { getItem, getItems, type Item } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { type PageQuery, queryAll, queryPage } from '../dynamo/query.ts';
import { put, update, type Write, write } from '../dynamo/write.ts';
import type { Seat } from './check-in/code.ts';
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

/** The admission of a seat, as it is stored. */
const checkIn = z.object({
  orderId: z.string(),
  number: z.number(),
  checkedInAt: z.string(),
  /** The id of the user who scanned it. */
  checkedInBy: z.string(),
});
export type CheckIn = z.infer<typeof checkIn>;

/** The write that admits a seat, once. @throws DomainError 409 with the time of an earlier admission */
export function insertCheckIn(admitted: CheckIn): Write {
  return put(
    { ...keys.checkIn(admitted.orderId, admitted.number), ...admitted },
    {
      when: 'attribute_not_exists(#pk)',
      refused: (first) => conflict('already-checked-in', `Checked in already at ${first?.checkedInAt}`),
    },
  );
}

/** Reads when an order's seats were admitted, by their numbers. */
export async function readCheckIns(orderId: string): Promise<Map<number, string>> {
  const times = new Map<number, string>();
  for await (const item of queryAll({ partition: keys.checkIn(orderId, 1).pk })) {
    const { number, checkedInAt } = checkIn.parse(item);
    times.set(number, checkedInAt);
  }
  return times;
}

/** Reads when each of these seats was admitted, in their order; undefined for one that was not. */
export async function findCheckIns(seats: readonly Seat[]): Promise<(string | undefined)[]> {
  const items = await getItems(seats.map(({ orderId, number }) => keys.checkIn(orderId, number)));
  return items.map((item) => item && checkIn.parse(item).checkedInAt);
}
