import { type Event, getEvent, ok, type PaymentMethod } from 'boxoffice-client';
import { isRefusal } from './errors.ts';

/** An event, and the ways to pay for its tickets. */
export interface Sale {
  event: Event;
  paymentMethods: PaymentMethod[];
}

/**
 * An event as everybody sees it: read without the session's token, so that the CDN answers and a sale's rush does not
 * reach the table. Only its staff see a draft.
 * @param code opens hidden tiers
 */
export async function getPublicSale(id: string, code?: string): Promise<Sale> {
  const open = await getEvent(id, { code }, { fetch: (input, init) => fetch(input, init) });
  return open.status === 404 ? ok(getEvent(id)) : ok(Promise.resolve(open));
}

/** An order's event; undefined when it is no longer shown to buyers. */
export async function findEvent(id: string): Promise<Event | undefined> {
  return (await findSale(id))?.event;
}

/**
 * The same with the ways to pay.
 * @param code the order's, which may have opened its tier
 */
export async function findSale(id: string, code?: string): Promise<Sale | undefined> {
  try {
    return await ok(getEvent(id, { code }));
  } catch (error) {
    // Too many wrong codes were tried: the order is shown all the same.
    if (code && isRefusal(error, 429)) return findSale(id);
    if (isRefusal(error, 404)) return undefined;
    throw error;
  }
}

/** Returns the name of a tier. Buyers do not see hidden tiers, not even a tier that they have tickets of. */
export function tierName(event: Event | undefined, tierId: string): string {
  return event?.tiers.find(({ id }) => id === tierId)?.name ?? 'a tier that is not listed';
}
