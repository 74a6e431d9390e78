import * as z from 'zod';
import { DomainError } from '../../core/errors.ts';
import { listPaymentMethods, paymentMethodView } from '../../payments/payment-methods.ts';
import { requireValid, revealsTier } from '../promo-codes/code.ts';
import { getCodeWithinRateLimit } from '../promo-codes/get-code.ts';
import { managerOf } from '../staff/entitlements.ts';
import { type Event, removeHiddenTiers, type Tier } from './event.ts';
import { eventView } from './event-view.ts';
import { getVisibleEvent, readEventView } from './read-events.ts';

/** An event with the ways to pay for its tickets. */
export const eventDetails = z.object({
  event: eventView,
  paymentMethods: z
    .array(paymentMethodView)
    .meta({ description: 'The ways to pay in the event’s currency; empty when all tickets are free' }),
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
  const event = await getVisibleEvent(id, userId);
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
  return { event: await readEventView(event), paymentMethods: isFree ? [] : listPaymentMethods(event) };
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
