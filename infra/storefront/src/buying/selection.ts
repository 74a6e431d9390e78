import type { Event, Tier } from 'boxoffice-client';
import { isOnSale, quantityField } from '../components/tier-quantity.tsx';
import { t } from '../texts/shop.ts';

/** The API's maximum number of tickets in an order. */
const maximumOrderTickets = 500;

/** What the buyer has chosen. */
export interface Selection {
  /** The entered number of tickets by tier. */
  quantities: Record<string, string>;
  /** The value of the payment method's radio button. */
  method: string | undefined;
}

/** Returns the address of the event's page with what the buyer has chosen. */
export function pathOf({ id }: Pick<Event, 'id'>, code: string, { quantities, method }: Selection): string {
  const tickets = Object.entries(quantities)
    .filter(([, quantity]) => Number(quantity) > 0)
    .map(([tierId, quantity]) => `${tierId}.${quantity}`)
    .join('_');
  const query = new URLSearchParams({
    ...(code && { code }),
    ...(tickets && { tickets }),
    ...(method && { method }),
  });
  return `/events/${id}${query.size > 0 ? `?${query}` : ''}`;
}

/** Reads the numbers of tickets from the address. */
export function readQuantities(text: string | undefined): Selection['quantities'] | undefined {
  return text ? Object.fromEntries(text.split('_').map((item) => item.split('.', 2))) : undefined;
}

/** One ticket of a tier that is the only one on sale. */
export function onlyTier([tier, ...others]: Tier[]): Selection['quantities'] {
  return tier && others.length === 0 ? { [tier.id]: `${tier.minPerOrder}` } : {};
}

/** A tier, and how many of its tickets the buyer has chosen. */
export interface ChosenItem {
  tier: Tier;
  quantity: number;
}

/** Returns what is chosen of the tiers on sale, in the order in which the API numbers tickets. */
export function itemsOf({ tiers }: Event, { quantities }: Pick<Selection, 'quantities'>): ChosenItem[] {
  return ticketsFirst(tiers).flatMap((tier) => {
    const quantity = Number(quantities[tier.id] ?? 0);
    return isOnSale(tier) && Number.isInteger(quantity) && quantity > 0 ? [{ tier, quantity }] : [];
  });
}

/** Returns the tiers in the order in which the API numbers tickets. */
export function ticketsFirst(tiers: readonly Tier[]): Tier[] {
  return tiers.toSorted((a, b) => Number(a.kind === 'addon') - Number(b.kind === 'addon'));
}

/** Returns how many of a tier can be chosen beside the other chosen items. */
export function maximumOf(
  event: Event,
  { id, kind, perTicket, available, maxPerPerson }: Tier,
  items: ChosenItem[],
) {
  const count = (isCounted: (tier: Tier) => boolean) =>
    items.reduce((sum, { tier, quantity }) => sum + (isCounted(tier) ? quantity : 0), 0);
  const others = count((tier) => tier.id !== id);
  const tickets = count((tier) => tier.kind === 'ticket' && tier.id !== id);
  const ofKind = kind === 'addon' ? tickets * perTicket : event.maxPerWallet - tickets;
  return Math.max(0, Math.min(available, maxPerPerson, maximumOrderTickets - others, ofKind));
}

/** Returns the errors of tiers of which an order needs more. */
export function findTooFew(items: readonly ChosenItem[]): Record<string, string> {
  const tooFew = items.filter(({ tier, quantity }) => quantity < tier.minPerOrder);
  return Object.fromEntries(
    tooFew.map(({ tier }) => [quantityField(tier), t('tier.tooFew', { minimum: tier.minPerOrder })]),
  );
}

/** Returns the fields of an order or a quote for these items. */
export function toRequestedItems(items: readonly ChosenItem[]) {
  const requested = items.map(({ tier, quantity }) => ({ tierId: tier.id, quantity }));
  return requested.length === 1 ? requested[0] : { items: requested };
}

/** Says why nobody can buy a ticket now. */
export function whyNotOnSale({ tiers }: Event): string {
  const isUpcoming = ({ saleStart }: Tier) => Date.parse(saleStart) > Date.now();
  if (tiers.length === 0) return t('notOnSale.withCodeOnly');
  if (tiers.every(({ available }) => available === 0)) return t('notOnSale.soldOut');
  return t(tiers.some(isUpcoming) ? 'notOnSale.notBegun' : 'notOnSale.ended');
}
