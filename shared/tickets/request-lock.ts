import type { Event } from '../catalog/events/event.ts';
import { getEvent } from '../catalog/events/store.ts';
import { keys } from '../dynamo/keys.ts';
import { getItems } from '../dynamo/read.ts';
import { sendMessage } from '../runtime/queue.ts';
import { log } from '../runtime/telemetry.ts';
import { seatNumber, type Ticket, toSeat } from './ticket.ts';

/** How long a request to lock tickets may take, in milliseconds: an admission does not wait for a slow queue. */
const timeoutMilliseconds = 1_000;

/**
 * Queues the lock of tokens that are no longer valid for entry, so that nobody buys one. Never fails, and takes at most a
 * second: without the lock, only the metadata says that a ticket is not valid.
 * @param tokenIds decimal
 */
export async function requestLock(chainId: number, contract: string, tokenIds: string[]): Promise<void> {
  if (tokenIds.length === 0) return;
  const message = { type: 'lock', chainId, contract, tokenIds, requestedAt: Date.now() } as const;
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(() => timeout.reject(new Error('The queue is slow')), timeoutMilliseconds);
  try {
    await Promise.race([sendMessage('mint-tickets', message, { tenant: contract }), timeout.promise]);
  } catch (error) {
    log.warn('Lock not requested', { chainId, contract, tokens: tokenIds.length, cause: String(error) });
  } finally {
    clearTimeout(timer);
  }
}

/** Queues the lock of an admitted ticket, if the organizer chose it and the ticket has a token. */
export async function lockAfterAdmission(event: Event, ticket: Ticket | undefined): Promise<void> {
  if (!event.lockAfterAdmission || !ticket || ticket.burnedAt) return;
  await requestLock(ticket.chainId, ticket.contractAddress, [ticket.tokenId]);
}

/**
 * Queues the locks of new tokens whose seats were admitted before they were minted.
 * @param tickets tickets of one order
 */
export async function lockAdmittedBefore(tickets: readonly Ticket[]): Promise<void> {
  const [first] = tickets;
  if (!first || !(await getEvent(first.eventId)).lockAfterAdmission) return;
  const items = await getItems(tickets.map(({ id, orderId }) => keys.seat(orderId, seatNumber(id))));
  const isAdmitted = (item: unknown) => item !== undefined && toSeat(item).checkedInAt !== undefined;
  const tokenIds = tickets.filter((_, index) => isAdmitted(items[index])).map(({ tokenId }) => tokenId);
  await requestLock(first.chainId, first.contractAddress, tokenIds);
}
