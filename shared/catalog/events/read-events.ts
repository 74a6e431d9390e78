import * as z from 'zod';
import { authorize, organizerOf } from '../../accounts/auth/authorize.ts';
import { getSessionOwner } from '../../accounts/users/store.ts';
import { DomainError, forbidden, notFound } from '../../core/errors.ts';
import { identifier } from '../../core/schemas.ts';
import { listPaymentMethods, paymentMethodView, paymentWarnings } from '../../payments/payment-methods.ts';
import { queryReceivedSeats } from '../../tickets/seats/store.ts';
import { readContractStatuses } from '../contracts/contract-status.ts';
import { hashBuyer } from '../inventory/inventory.ts';
import { countHeldTickets, readAvailable } from '../inventory/store.ts';
import { requireValid, revealsTier } from '../promo-codes/code.ts';
import { getCodeWithinRateLimit } from '../promo-codes/store.ts';
import { managerOf, staffOf } from '../staff/entitlements.ts';
import { countWaiting } from '../waiting-list/store.ts';
import { type Event, inventoryOf, removeHiddenTiers, sellsToList, type Tier } from './event.ts';
import { type EventView, eventView, toEventView } from './event-view.ts';
import { getEventWithTexts } from './store.ts';

/** Returns views of events with the available tickets of each tier. @param events with their descriptions */
export async function readEventViews(events: readonly Event[]): Promise<EventView[]> {
  const [free, statuses] = await Promise.all([
    readAvailable(events.map(inventoryOf)),
    readContractStatuses(events),
  ]);
  return events.map((event, index) =>
    toEventView(event, free[index] ?? new Map(), statuses[index] ?? 'none'),
  );
}

export async function readEventView(event: Event): Promise<EventView> {
  const [view] = await readEventViews([event]);
  if (!view) throw new Error('readEventViews returned no view');
  return view;
}

/**
 * Returns an event that the caller may see: only the organizer and the staff see a draft.
 * @throws DomainError 404 for an unknown id, or a draft that the caller may not see
 */
export async function getVisibleEvent(id: string, userId: string | undefined): Promise<Event> {
  const event = await getEventWithTexts(id);
  if (event.status === 'DRAFT') authorize({ userId }, [await staffOf(event, { userId })], notFound('Event'));
  return event;
}

/**
 * Returns an event to its visitors. The holders of tickets see it also after it became a draft again.
 * @throws DomainError as `getVisibleEvent`, for all others
 */
export async function getVisitedEvent(id: string, userId: string | undefined): Promise<Event> {
  try {
    return await getVisibleEvent(id, userId);
  } catch (error) {
    const isHidden = error instanceof DomainError && error.code === 'event-not-found';
    if (!isHidden || userId === undefined || !(await holdsTickets(id, userId))) throw error;
    return getEventWithTexts(id);
  }
}

/** Returns whether a user has ordered tickets to an event, or received some from another user. */
async function holdsTickets(eventId: string, userId: string): Promise<boolean> {
  const { user, guestId } = await getSessionOwner(userId);
  for (const buyer of [hashBuyer(user.email), ...(guestId ? [guestId] : [])]) {
    if ((await countHeldTickets(eventId, buyer)) > 0) return true;
  }
  for await (const seat of queryReceivedSeats(userId)) {
    if (seat.eventId === eventId && seat.holderUserId === userId) return true;
  }
  return false;
}

/**
 * Returns an event to its organizer.
 * @throws DomainError 404 when the caller may not see it, 403 for all but the organizer
 */
export async function getOwnEvent(id: string, userId: string): Promise<Event> {
  const event = await getVisibleEvent(id, userId);
  authorize({ userId }, [organizerOf(event)], forbidden('Only the organizer of the event may do this'));
  return event;
}

/**
 * Returns an event to its organizer or one of its managers.
 * @throws DomainError 404 when the caller may not see it, 403 for all others
 */
export async function getManagedEvent(id: string, userId: string): Promise<Event> {
  const event = await getVisibleEvent(id, userId);
  const refusal = forbidden('Only the organizer and managers of the event may do this');
  authorize({ userId }, [await managerOf(event, { userId })], refusal);
  return event;
}

/** An event with the ways to pay for its tickets. */
export const eventDetails = z.object({
  event: eventView,
  paymentMethods: z
    .array(paymentMethodView)
    .meta({ description: 'The ways to pay in the event’s currency; empty when all tickets are free' }),
  waiting: z
    .array(z.object({ tierId: identifier, people: z.int().meta({ description: 'Up to 1000' }) }))
    .meta({ description: 'How many people wait for each tier whose free tickets are for its waiting list' }),
});
type EventDetails = z.infer<typeof eventDetails>;

/**
 * Returns an event as the caller may see it. The organizer and managers see every tier. Others see the tiers that are
 * not hidden, and the hidden tiers that their code reveals.
 * @param rateLimitSubject the caller's user id, or the IP address of an anonymous caller
 * @param codeText the code, in upper case; an unknown or invalid code reveals no tier
 * @throws DomainError 404 for a draft that the caller may not see; 429 after too many unknown codes
 */
export async function showEvent(
  id: string,
  { userId, rateLimitSubject }: { userId: string | undefined; rateLimitSubject: string },
  codeText: string | undefined,
): Promise<EventDetails> {
  const event = await getVisitedEvent(id, userId);
  const hasHiddenTiers = event.tiers.some(({ hidden }) => hidden);
  if (hasHiddenTiers && userId) {
    const isManager = await managerOf(event, { userId });
    if (isManager({ userId })) return toDetails(event);
  }
  const isRevealed =
    codeText === undefined ? undefined : await findTierFilter(id, codeText, rateLimitSubject);
  return toDetails(removeHiddenTiers(event, isRevealed));
}

async function toDetails(event: Event): Promise<EventDetails> {
  const isFree = event.tiers.every(({ price }) => price === 0n);
  const [view, waiting] = await Promise.all([readEventView(event), readWaiting(event)]);
  return { event: view, paymentMethods: isFree ? [] : listPaymentMethods(event), waiting };
}

function readWaiting(event: Event): Promise<EventDetails['waiting']> {
  const tiers = event.tiers.filter((tier) => sellsToList(event, tier));
  return Promise.all(
    tiers.map(async ({ id: tierId }) => ({
      tierId,
      people: await countWaiting({ eventId: event.id, tierId }),
    })),
  );
}

/** What a created or changed event is answered with. */
export const savedEvent = z.object({
  event: eventView,
  warnings: z.array(z.string()).meta({ description: 'What keeps buyers from paying for it; mostly empty' }),
});

export function toSavedEvent(event: EventView): z.infer<typeof savedEvent> {
  return { event, warnings: paymentWarnings(event) };
}

/** Returns a predicate for the tiers that a code reveals; undefined for an unknown or invalid code. */
async function findTierFilter(eventId: string, codeText: string, rateLimitSubject: string) {
  try {
    const code = await getCodeWithinRateLimit(eventId, codeText, rateLimitSubject);
    requireValid(code, Date.now());
    return (tier: Tier) => revealsTier(code, tier);
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'too-many-requests') throw error;
    return undefined;
  }
}
