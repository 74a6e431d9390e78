import * as z from 'zod';
import { identifier, time, toView } from '../../core/schemas.ts';
import { entryStatuses, type WaitingEntry } from './entry.ts';

export const joinRequest = z
  .object({
    tierId: z.string().min(1).max(64).meta({ description: 'The id of one of the event’s tiers' }),
    quantity: z.int().min(1).max(500).meta({ description: 'How many tickets to wait for, all at once' }),
  })
  .meta({ examples: [{ tierId: 'cm5x2k9q1b2n4d6f8g0j3l5p7', quantity: 2 }] });
export type JoinRequest = z.infer<typeof joinRequest>;

export const entryView = z
  .object({
    id: identifier,
    eventId: identifier,
    tierId: identifier,
    quantity: z.int(),
    status: z.enum(entryStatuses).meta({
      description:
        '`offered`: take the offer before it expires, by an order with its id as `offerId`. `ordered`: it was taken. `expired`: it was not, or offers are no longer made',
    }),
    position: z.int().nullable().meta({
      description:
        'The place in the list, from 1 on; 1000 for all places from there on. Null unless `waiting`',
    }),
    offer: z.object({ id: identifier, expiresAt: time }).nullable(),
    joinedAt: time,
    updatedAt: time,
  })
  .meta({ id: 'WaitingListEntry' });
export type EntryView = z.infer<typeof entryView>;

export function toEntryView(entry: WaitingEntry, position: number | null): EntryView {
  return toView(entryView, entry, { position, offer: (entry.status === 'offered' && entry.offer) || null });
}

/** An entry as the organizer sees it. */
export const managedEntryView = z
  .object({
    id: identifier,
    tierId: identifier,
    quantity: z.int(),
    status: z.enum(['waiting', 'offered']),
    name: z.string(),
    email: z.string(),
    offerExpiresAt: time.nullable(),
    joinedAt: time,
  })
  .meta({ id: 'WaitingListMember' });

export const listCountsView = z.array(
  z.object({
    tierId: identifier,
    waiting: z.int().meta({ description: 'The number of people who wait, up to 1000' }),
    offers: z.int().meta({ description: 'The number of open offers' }),
    offeredTickets: z.int().meta({ description: 'The number of tickets that they hold' }),
  }),
);
