import * as z from 'zod';
import { opensTier, requireValid } from '../codes/code.ts';
import { findNamedCode } from '../codes/find-code.ts';
import { DomainError } from '../core/errors.ts';
import { paymentMethodView } from '../payments/payment-method-view.ts';
import { listPaymentMethods } from '../payments/payment-methods.ts';
import { managerOf } from '../staff/entitlements.ts';
import { type Event, hideTiers, type Tier } from './event.ts';
import { eventView } from './event-view.ts';
import { getVisibleEvent, readEventView } from './read-events.ts';

/** An event, and the ways to pay for its tickets. */
export const shownEvent = z.object({
  event: eventView,
  paymentMethods: z
    .array(paymentMethodView)
    .meta({ description: 'The ways to pay in the event’s currency; empty while all its tickets are free' }),
});
type ShownEvent = z.infer<typeof shownEvent>;

/**
 * Returns an event as the caller may see it: its organizer and managers see every tier, others those hidden tiers that
 * their code opens.
 * @param rateLimitSubject the caller's user id, or the address of an anonymous caller
 * @param text the code, in upper case; an unknown or invalid code opens no tier
 * @throws DomainError 404 for a draft of another organizer; 429 after too many unknown codes
 */
export async function showEvent(
  id: string,
  { userId, rateLimitSubject }: { userId: string | undefined; rateLimitSubject: string },
  text: string | undefined,
): Promise<ShownEvent> {
  const event = await getVisibleEvent(id, userId);
  const hasHidden = event.tiers.some(({ hidden }) => hidden);
  if (hasHidden && userId && (await managerOf(event, { userId }))({ userId })) return shown(event);
  const isOpened = text === undefined ? undefined : await findOpenedTiers(id, text, rateLimitSubject);
  return shown(hideTiers(event, isOpened));
}

async function shown(event: Event): Promise<ShownEvent> {
  const isFree = event.tiers.every(({ price }) => price === 0n);
  return { event: await readEventView(event), paymentMethods: isFree ? [] : listPaymentMethods(event) };
}

async function findOpenedTiers(eventId: string, text: string, rateLimitSubject: string) {
  try {
    const code = await findNamedCode(eventId, text, rateLimitSubject);
    requireValid(code, Date.now());
    return (tier: Tier) => opensTier(code, tier);
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'too-many-requests') throw error;
    return undefined;
  }
}
