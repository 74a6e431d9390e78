import * as z from 'zod';
import { defineMachine } from '../../core/state-machine.ts';

/**
 * `waiting`: for an offer. `offered`: tickets are held for it. `ordered`: the offer was taken. `expired`: the offer was
 * not taken in time, or no offers are made any more. `left`: the person left the list, or declined the offer.
 */
export const entryStatuses = ['waiting', 'offered', 'ordered', 'expired', 'left'] as const;

/** The listed seats of other orders among some tickets: of which orders, and how many. */
export const backing = z.object({ orderIds: z.array(z.string()), quantity: z.number() });
export type Backing = z.infer<typeof backing>;

/** A person's entry in the waiting list of a tier. Entries are served in the order of their ids. */
const waitingEntry = z.object({
  id: z.string(),
  userId: z.string(),
  eventId: z.string(),
  tierId: z.string(),
  quantity: z.number(),
  status: z.enum(entryStatuses),
  /**
   * The offer, also once it has ended. `expiresAt` is ISO 8601 in UTC. `backedBy` says which of its tickets are listed seats;
   * the others are held of the inventory.
   */
  offer: z.object({ id: z.string(), expiresAt: z.string(), backedBy: backing.optional() }).optional(),
  /** ISO 8601 in UTC. */
  joinedAt: z.string(),
  updatedAt: z.string(),
});
export type WaitingEntry = z.infer<typeof waitingEntry>;

/** An entry with the offer that was made to it. */
export type OfferedEntry = WaitingEntry & Required<Pick<WaitingEntry, 'offer'>>;

/** Returns the number of tickets of the inventory that an offer holds. */
export function heldByOffer({ quantity, offer }: WaitingEntry): number {
  return quantity - (offer?.backedBy?.quantity ?? 0);
}

export function toEntry(item: unknown): WaitingEntry {
  return waitingEntry.parse(item);
}

export const entryLifecycle = defineMachine<WaitingEntry>()('status', entryStatuses, [
  // Written with the reservation of the tickets.
  { from: 'waiting', event: 'offer', to: 'offered', sets: ['offer'] },
  // Written with the order that takes over the tickets.
  { from: 'offered', event: 'order', to: 'ordered' },
  // The payment of the order could not be started, so its tickets are offered again.
  { from: 'ordered', event: 'restore', to: 'offered', sets: ['quantity', 'offer'] },
  // The listed seats of the offer are no longer for sale: the entry keeps its place.
  { from: 'offered', event: 'withdraw', to: 'waiting', clears: ['offer'] },
  { from: ['waiting', 'offered'], event: 'expire', to: 'expired' },
  { from: ['waiting', 'offered'], event: 'leave', to: 'left' },
]);

export function isOpen({ status }: Pick<WaitingEntry, 'status'>): boolean {
  return status === 'waiting' || status === 'offered';
}

/** The work on the waiting lists of an event. Times are ISO 8601 in UTC. */
const offerTask = z.object({
  eventId: z.string(),
  organizerId: z.string(),
  /** The tiers with a list, also after the event was deleted. */
  tierIds: z.array(z.string()),
  /** Since when nobody waits and nothing is offered. */
  idleSince: z.string().optional(),
  /** Changes with each write, for optimistic locking. */
  version: z.string(),
});
export type OfferTask = z.infer<typeof offerTask>;

export function toOfferTask(item: unknown): OfferTask {
  return offerTask.parse(item);
}
