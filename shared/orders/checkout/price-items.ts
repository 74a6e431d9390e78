import * as z from 'zod';
import { type Event, isAddOn, type Tier } from '../../catalog/events/event.ts';
import {
  type Code,
  computeDiscounts,
  isValidForTier,
  requireValid,
  requireWithinLimits,
  revealsTier,
} from '../../catalog/promo-codes/code.ts';
import { aboutTier, conflict, DomainError, invalid, notFound } from '../../core/errors.ts';
import { subtotal, totalWithFee } from '../../core/money.ts';
import { idInput } from '../../core/schemas.ts';
import { toPayableTotal } from '../../payments/provider.ts';
import { maximumOrderItems, maximumOrderTickets, type OrderItem } from '../order.ts';

const tierId = idInput.meta({ description: 'The id of one of the event’s tiers' });
const quantity = z
  .int()
  .min(1)
  .max(maximumOrderTickets)
  .meta({ description: 'The number of tickets, within the limits of the tier and the event' });

/** The fields of a request that name its tickets. */
export const itemFields = {
  tierId: tierId.optional(),
  quantity: quantity.optional(),
  items: z.array(z.object({ tierId, quantity })).min(1).max(maximumOrderItems).optional().meta({
    description:
      'Tickets of several tiers, at most 10, in place of `tierId` and `quantity`. All are reserved, or none',
  }),
};
type ItemFields = z.infer<z.ZodObject<typeof itemFields>>;

/**
 * Requires a request to name its tickets once: by `tierId` and `quantity`, or by `items` of different tiers with at most
 * 500 tickets together.
 */
export function withItems<Schema extends z.ZodType<ItemFields>>(schema: Schema): Schema {
  return schema.superRefine(
    (value, { issues }) => {
      if (typeof value !== 'object' || value === null) return;
      // In the sequence of the fields, since the first issue becomes the message.
      const position = issues.findIndex(({ path }) => path?.[0] !== 'eventId');
      issues.splice(position === -1 ? issues.length : position, 0, ...findItemIssues(value));
    },
    // Also when another field is invalid, so that the answer names all invalid fields.
    { when: () => true },
  );
}

function findItemIssues(request: ItemFields): z.core.$ZodRawIssue[] {
  const { tierId, quantity, items } = request;
  if (items === undefined) {
    return (['tierId', 'quantity'] as const)
      .filter((name) => request[name] === undefined)
      .map((name) => ({ code: 'invalid_type', expected: 'string', input: undefined, path: [name] }));
  }
  const issue = (message: string) => [{ code: 'custom' as const, input: items, path: ['items'], message }];
  if (tierId !== undefined || quantity !== undefined)
    return issue('can’t be sent together with tierId and quantity');
  if (!Array.isArray(items)) return [];
  if (new Set(items.map((item) => item?.tierId)).size < items.length)
    return issue('must have each tier once');
  const total = items.reduce((sum, item) => sum + (Number(item?.quantity) || 0), 0);
  return total > maximumOrderTickets
    ? issue(`must have at most ${maximumOrderTickets} tickets together`)
    : [];
}

/** Returns the tiers that a request names, with their quantities. */
export function itemsOf({
  tierId = '',
  quantity = 0,
  items,
}: ItemFields): { tierId: string; quantity: number }[] {
  return items ?? [{ tierId, quantity }];
}

/**
 * Runs an operation on a request's items. The message of an error about one of several tiers gets the tier's name.
 * @throws the errors of `run`
 */
export async function namingTiers<Result>(
  event: Event,
  request: ItemFields,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof DomainError) || itemsOf(request).length === 1) throw error;
    const tier = event.tiers.find(({ id }) => id === error.tierId);
    // The name of a hidden tier stays hidden.
    if (!tier || error.code === 'tier-not-found') throw error;
    const { kind, code, message, retryAfter, fields } = error;
    throw aboutTier(tier.id, new DomainError(kind, code, `${tier.name}: ${message}`, retryAfter, fields));
  }
}

/** The price of an order, in minor units. `total` is what the buyer pays: an amount that a gateway accepts. */
interface Price {
  /** Tickets first, then add-ons. */
  items: OrderItem[];
  fullPrice: bigint;
  discount: bigint;
  total: bigint;
  /** The platform's fee, where the organizer pays it. */
  organizerFee?: bigint;
}

/**
 * Prices a request from the current state of an event and a code.
 * @throws DomainError 409 while the event or a tier is not on sale, for add-ons without or beyond their tickets, and for
 * a code that is not valid, not for any of the tiers or used up; 404 for an unknown tier, and for a hidden tier without a
 * code that opens it; 400 for fewer tickets of a tier than it allows
 */
export function priceItems(event: Event, request: ItemFields, code: Code | undefined, now: number): Price {
  if (event.status !== 'PUBLISHED') throw conflict('not-on-sale', 'The event is not on sale');
  if (code) requireValid(code, now);
  const requested = itemsOf(request).map(({ tierId, quantity }) => {
    const tier = event.tiers.find(({ id }) => id === tierId);
    if (!tier || (tier.hidden && !(code && revealsTier(code, tier)))) {
      throw aboutTier(tierId, notFound('Tier'));
    }
    requireOnSale(event, tier, now);
    requireMinimum(tier, quantity);
    return { tier, quantity };
  });
  requireTicketsForAddOns(requested);
  if (code && !requested.some(({ tier }) => isValidForTier(code, tier))) {
    throw conflict('code-not-for-tier', 'This code is not for these tickets');
  }
  const priced = [
    ...requested.filter(({ tier }) => !isAddOn(tier)),
    ...requested.filter(({ tier }) => isAddOn(tier)),
  ].map(({ tier, quantity }) => ({
    tierId: tier.id,
    quantity,
    unitPrice: tier.price,
    ...(isAddOn(tier) && { isAddOn: true }),
    ...(tier.taxPercent !== undefined && { taxPercent: tier.taxPercent }),
  }));
  const discounts = code ? computeDiscounts(code, priced, event.currency) : [];
  const items = priced.map((item, index) => ({
    ...item,
    ...(discounts[index] && { discount: discounts[index] }),
  }));
  const fullPrice = sum(items.map(({ unitPrice, quantity }) => subtotal(unitPrice, quantity)));
  const discount = sum(discounts);
  if (code) requireWithinLimits(code, discount, event.currency);
  const price = fullPrice - discount;
  const fee = totalWithFee(price) - price;
  const isPaidByBuyer = event.feePaidBy === 'buyer';
  // The difference to the exact total is the platform's.
  const total = toPayableTotal(event.currency, isPaidByBuyer ? price + fee : price);
  return { items, fullPrice, discount, total, ...(!isPaidByBuyer && { organizerFee: fee }) };
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** @throws DomainError 409 before and after the sale of a tier */
export function requireOnSale(event: Event, tier: Tier, now: number): void {
  const saleStartsAt = Math.max(...[event.saleStart, tier.saleStart ?? event.saleStart].map(Date.parse));
  const saleEnds = [event.saleEnd, tier.saleEnd ?? event.saleEnd, event.endDate];
  const saleEndsAt = Math.min(...saleEnds.map(Date.parse));
  if (now < saleStartsAt)
    throw aboutTier(tier.id, conflict('sale-not-started', 'The sale has not started yet'));
  if (now > saleEndsAt) throw aboutTier(tier.id, conflict('sale-ended', 'The sale has ended'));
}

/** @throws DomainError 400 */
export function requireMinimum({ id, minPerOrder }: Tier, quantity: number): void {
  if (quantity < minPerOrder)
    throw aboutTier(id, invalid(`Please take at least ${minPerOrder} tickets of this tier`));
}

/**
 * Each order has the tickets that its add-ons need. So the add-ons of a buyer never exceed those that all their tickets
 * allow, whichever of the orders is refunded.
 */
function requireTicketsForAddOns(requested: readonly { tier: Tier; quantity: number }[]): void {
  const tickets = requested.reduce((count, { tier, quantity }) => count + (isAddOn(tier) ? 0 : quantity), 0);
  for (const { tier, quantity } of requested.filter(({ tier }) => isAddOn(tier))) {
    if (tickets === 0)
      throw aboutTier(tier.id, conflict('addon-alone', 'This is sold together with a ticket only'));
    const maximum = tier.perTicket * tickets;
    if (quantity > maximum)
      throw aboutTier(tier.id, conflict('addon-limit', `You can add at most ${maximum} for these tickets`));
  }
}

/** Describes an order to its gateway: `2 × Adult, 1 × Child, Night of the Lambdas`. */
export function describeItems({ tiers, title }: Event, items: readonly OrderItem[]): string {
  const names = items.map(
    ({ tierId, quantity }) => `${quantity} × ${tiers.find(({ id }) => id === tierId)?.name}`,
  );
  return [...names, title].join(', ');
}
