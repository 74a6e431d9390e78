import * as z from 'zod';
import { conflict } from '../core/errors.ts';
import { type Currency, percentOf, subtotal, toMinor } from '../core/money.ts';
import { minorUnits } from '../core/schemas.ts';
import type { Tier } from '../events/event.ts';

/** What a code does: take off a percentage or an amount, set the price of a ticket, or only open hidden tiers. */
export const codeKinds = ['percent', 'amount', 'price', 'access'] as const;
export type CodeKind = (typeof codeKinds)[number];

/** The text of a code, in upper case. Letters are ASCII: other alphabets change their length with their case. */
export const codeText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{2,40}$/, 'must be 2 to 40 letters, digits and dashes')
  .toUpperCase()
  .meta({ description: 'Case does not matter', examples: ['EARLY-BIRD'] });

/** A code as it is stored. Times are ISO 8601 in UTC. */
const code = z.object({
  eventId: z.string(),
  code: z.string(),
  kind: z.enum(codeKinds),
  /** A percentage, or whole units of the event's currency; a decimal, since an unsold event may change its currency. */
  value: z.string().optional(),
  /** The tiers it is for; empty: all. */
  tierIds: z.array(z.string()),
  /** Orders that may use it. */
  maxUses: z.number().optional(),
  /** Orders of one user that may use it. */
  maxPerUser: z.number().optional(),
  /** The most it may take off over all orders, in whole units of the event's currency. */
  budget: z.string().optional(),
  validFrom: z.string().optional(),
  validUntil: z.string().optional(),
  active: z.boolean(),
  /** The event's sale version when the code was last written: no two versions of a code share one. */
  version: z.number(),
  /** Orders that count against its limits and hold their tickets. */
  uses: z.number(),
  /** What those orders were given, in minor units. */
  given: minorUnits,
  /** Those of them that were paid too late and exceeded a limit. */
  overruns: z.number(),
  /** Whether it has ever counted an order; then it is never deleted. */
  ordered: z.boolean().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Code = z.infer<typeof code>;

/** Parses a stored item as a code. @throws ZodError for any other item */
export function toCode(item: unknown): Code {
  return code.parse(item);
}

/** Whether orders count against the code itself. The limit per user is counted with the buyer's tickets. */
export function isLimited({ maxUses, budget }: Code): boolean {
  return maxUses !== undefined || budget !== undefined;
}

/**
 * What an order keeps of a code.
 * @param at the code, and the version of it that decided the price
 * @param counting the code that the order counts against, if any
 * @param isOverrun whether it is counted beyond the limits
 */
export function redeemed(
  { code, version }: Pick<Code, 'code' | 'version'>,
  counting: Code | undefined,
  isOverrun = false,
) {
  const counted = counting && isLimited(counting) && { isCounted: true, ...(isOverrun && { isOverrun }) };
  return { code, version, ...counted };
}

/** Whether a code may be used for a tier. */
export function isForTier({ tierIds }: Code, { id }: Pick<Tier, 'id'>): boolean {
  return tierIds.length === 0 || tierIds.includes(id);
}

/** Whether a code opens a hidden tier: an access code for the tier does, and any other code that names it. */
export function opens(code: Code, tier: Pick<Tier, 'id'>): boolean {
  return isForTier(code, tier) && (code.kind === 'access' || code.tierIds.length > 0);
}

/** @throws DomainError 409 for a code that is not valid at a time (epoch milliseconds) */
export function requireValid({ active, validFrom, validUntil }: Code, now: number): void {
  if (active && validFrom && now < Date.parse(validFrom)) {
    throw conflict('discount-not-started', 'This code is not valid yet');
  }
  if (!active || (validUntil && now > Date.parse(validUntil))) throw expired();
}

/**
 * What a code takes off an order, in minor units: rounded once, half up, and never more than the tickets cost.
 * @throws DomainError 409 for a code whose decimals the event's new currency does not have
 */
export function discountOf(code: Code, price: bigint, quantity: number, currency: Currency): bigint {
  const full = subtotal(price, quantity);
  const value = code.value ?? '0';
  if (code.kind === 'access') return 0n;
  if (code.kind === 'percent') return percentOf(full, value);
  const units = inMinorUnits(value, currency);
  const discount = code.kind === 'amount' ? units : full - subtotal(units, quantity);
  return discount < 0n ? 0n : discount > full ? full : discount;
}

/** How much a code may still take off in one order, in minor units; undefined without a budget. */
export function budgetOf({ budget }: Pick<Code, 'budget'>, currency: Currency): bigint | undefined {
  return budget === undefined ? undefined : inMinorUnits(budget, currency);
}

/** @throws DomainError 409 for a code whose limits have no room for an order, as they were when it was read */
export function requireRoom(code: Code, discount: bigint, currency: Currency): void {
  const budget = budgetOf(code, currency);
  const isOver = code.maxUses !== undefined && code.uses >= code.maxUses;
  if (isOver || (budget !== undefined && code.given + discount > budget)) throw usedUp();
}

export const usedUp = () => conflict('code-used-up', 'This code has been used up');
export const usedUpByUser = () =>
  conflict('code-used-up', 'You have used this code as often as one person can');
const expired = () => conflict('discount-expired', 'This code is no longer valid');

function inMinorUnits(decimal: string, currency: Currency): bigint {
  const units = toMinor(decimal, currency);
  if (units === undefined) throw expired();
  return units;
}
