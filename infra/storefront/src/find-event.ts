import { type Event, getEvent, ok, type PaymentMethod } from 'boxoffice-client';
import { isRefusal } from './errors.ts';
import { send } from './session/session.ts';
import { t } from './texts/shop.ts';

/** An event, and the ways to pay for its tickets. */
export interface Sale {
  event: Event;
  paymentMethods: PaymentMethod[];
  /** How many people wait for tickets of a tier. */
  waiting: { tierId: string; people: number }[];
}

/**
 * Returns an event as the public sees it. The request has no access token, so the CDN answers it and a rush of buyers
 * does not reach the table. A draft is a 404 for the public, so it is requested again with the access token of its
 * staff.
 * @param code reveals hidden tiers
 */
async function getPublicSale(id: string, code?: string): Promise<Sale> {
  const publicAnswer = await getEvent(id, { code }, { fetch: send });
  return publicAnswer.status === 404 ? ok(getEvent(id)) : ok(Promise.resolve(publicAnswer));
}

/** Returns the event with the tiers that a code reveals. Ignores an invalid code, since the quote shows its error. */
export function getSaleWithCode(id: string, code: string): Promise<Sale> {
  return code ? getPublicSale(id, code).catch(() => getPublicSale(id)) : getPublicSale(id);
}

/** Returns an order's event; undefined when buyers can no longer see it. */
export async function findEvent(id: string): Promise<Event | undefined> {
  return (await findSale(id))?.event;
}

/**
 * Returns an order's event with the ways to pay; undefined when buyers can no longer see it.
 * @param code the order's code, which may reveal its tier
 */
export async function findSale(id: string, code?: string): Promise<Sale | undefined> {
  try {
    return await ok(getEvent(id, { code }));
  } catch (error) {
    // The API refuses every code after too many wrong ones. The event is readable without a code.
    if (code && isRefusal(error, 429)) return findSale(id);
    if (isRefusal(error, 404)) return undefined;
    throw error;
  }
}

/** Returns the name of a tier. Buyers do not see hidden tiers, not even a tier that they have tickets of. */
export function tierName(event: Event | undefined, tierId: string): string {
  return event?.tiers.find(({ id }) => id === tierId)?.name ?? t('values.unlistedTier');
}
