import { type EventCreation, eventCreation } from '../../../shared/catalog/events/editing/event-input.ts';
import { assignShards, newEvent } from '../../../shared/catalog/events/editing/new-event.ts';
import type { Event } from '../../../shared/catalog/events/event.ts';
import { newOwnedId } from '../../../shared/core/ids.ts';
import { validate } from '../../../shared/http/middleware.ts';

export const creationTime = new Date('2027-01-01T12:00:00.000Z');

/** Parses the fields of a request that creates an event, with defaults for required fields. */
export function parseCreation(fields: object): EventCreation {
  return validate(eventCreation, {
    title: 'Jazz',
    venue: 'Club',
    startDate: '2027-05-01T18:00:00Z',
    ...fields,
  });
}

/** Builds a new event of the organizer `org`. */
export function buildEvent(fields: object = {}, ticketsPerShard = 1000): Event {
  return assignShards(
    undefined,
    newEvent(parseCreation(fields), 'org', newOwnedId('org'), creationTime),
    ticketsPerShard,
  );
}

/** Two tiers of 30 and 20 tickets, at 5 and 7 USD. */
export const twoTiers = {
  tiers: [
    { name: 'A', price: 5, quantity: 30, maxPerPerson: 4 },
    { name: 'B', price: 7, quantity: 20, maxPerPerson: 6 },
  ],
};

export const tierInput = (quantity: number) => ({ name: 'T', price: 1, quantity });
