import { getItem, getItems, type Item } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import { put, update, type Write, write } from '../dynamo/write.ts';
import { type Ticket, toTicket } from './ticket.ts';

/** The ticket is stored already, e.g. when a mint is recorded again after a crash. */
export class TicketExists extends Error {}

/**
 * Returns the write that inserts a ticket.
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

/** Returns the write that replaces a ticket whose token was burned. @throws as `insertTicket` */
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

/** Returns the write that corrects the transaction of a stored ticket, after a reorganisation of the chain. */
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
