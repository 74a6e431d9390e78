import * as z from 'zod';
import { conflict } from '../../core/errors.ts';
import { type Currency, divideByShares, percentOf, subtotal, toMinor } from '../../core/money.ts';
import { minorUnits } from '../../core/schemas.ts';
import type { Tier } from '../events/event.ts';

/**
 * What a code does: `percent` and `amount` give a discount, `price` sets the price of a ticket, `access` only reveals
 * hidden tiers.
 */
export const codeKinds = ['percent', 'amount', 'price', 'access'] as const;

/**
 * The text of a code, in upper case. Only ASCII letters, since the upper case of other letters, such as ß, can be
 * longer.
 */
export const codeText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{2,40}$/, 'must be 2 to 40 letters, digits and dashes')
  .toUpperCase()
  .meta({ description: 'Case does not matter', examples: ['EARLY-BIRD'] });

/** A stored code. Times are ISO 8601 in UTC. */
const code = z.object({
  eventId: z.string(),
  code: z.string(),
  kind: z.enum(codeKinds),
  /**
   * A percentage, or an amount in major units of the event's currency. A decimal string instead of minor units, because
   * the currency, and with it the number of decimals, may change until the first sale.
   */
  value: z.string().optional(),
  /** The tiers that the code is valid for; empty means all. */
  tierIds: z.array(z.string()),
  /** The maximum number of orders that use the code. */
  maxUses: z.number().optional(),
  /** The maximum number of orders of one user that use the code. */
  maxPerUser: z.number().optional(),
  /** The maximum discount over all orders, in major units of the event's currency. */
  budget: z.string().optional(),
  validFrom: z.string().optional(),
  validUntil: z.string().optional(),
  active: z.boolean(),
  /**
   * The event's sale version when the code was last written. Each change of a code raises it, so that orders priced
   * before are priced again.
   */
  version: z.number(),
  /** The number of orders that hold tickets and count against the code's limits. */
  uses: z.number(),
  /** The discount on those orders, in minor units. */
  totalDiscount: minorUnits,
  /** The number of orders in `uses` that were paid late, after a limit was reached. */
  overLimit: z.number(),
  /** Whether an order has ever counted against the code's limits. Such a code is never deleted. */
  ordered: z.boolean().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Code = z.infer<typeof code>;

/** Parses a stored item as a code. @throws ZodError for any other item */
export function toCode(item: unknown): Code {
  return code.parse(item);
}

/**
 * Returns whether a code counts its orders in `uses` and `totalDiscount`. `maxPerUser` needs no such count: each buyer's
 * counters include it.
 */
export function isLimited({ maxUses, budget }: Code): boolean {
  return maxUses !== undefined || budget !== undefined;
}

/**
 * Returns the redemption that an order stores.
 * @param code the code that set the order's price, with its version at that time
 */
export function toRedemption(
  { code, version }: Pick<Code, 'code' | 'version'>,
  {
    countedCode,
    isOverLimit = false,
  }: {
    /** The code as it is stored now; undefined when the order does not count against its limits. */
    countedCode: Code | undefined;
    /** Whether the order is counted beyond the limits. */
    isOverLimit?: boolean;
  },
) {
  const countedFlags = countedCode &&
    isLimited(countedCode) && { isCounted: true, ...(isOverLimit && { isOverLimit }) };
  return { code, version, ...countedFlags };
}

/** Returns whether a code may be used for a tier. */
export function isValidForTier({ tierIds }: Code, { id }: Pick<Tier, 'id'>): boolean {
  return tierIds.length === 0 || tierIds.includes(id);
}

/**
 * Returns whether a code reveals a hidden tier. An access code reveals all tiers that it is valid for, any other code
 * only the tiers in its `tierIds`.
 */
export function revealsTier(code: Code, tier: Pick<Tier, 'id'>): boolean {
  return isValidForTier(code, tier) && (code.kind === 'access' || code.tierIds.length > 0);
}

/** @throws DomainError 409 for a code that is not valid at a time (epoch milliseconds) */
export function requireValid({ active, validFrom, validUntil }: Code, now: number): void {
  if (active && validFrom && now < Date.parse(validFrom)) {
    throw conflict('discount-not-started', 'This code is not valid yet');
  }
  if (!active || (validUntil && now > Date.parse(validUntil))) throw codeExpired();
}

/**
 * Returns the discount of a code on each item of an order, in minor units; 0 on items of tiers that it is not valid for.
 * The whole discount is rounded half up once and never exceeds the price of those items. A percentage or an amount is
 * divided among them by their prices.
 * @throws DomainError 409 when the event's currency has changed and allows fewer decimals than the code's value has
 */
export function computeDiscounts(
  code: Code,
  items: readonly { tierId: string; quantity: number; unitPrice: bigint }[],
  currency: Currency,
): bigint[] {
  const value = code.value ?? '0';
  const prices = items.map(({ tierId, quantity, unitPrice }) =>
    isValidForTier(code, { id: tierId }) ? subtotal(unitPrice, quantity) : 0n,
  );
  const fullPrice = prices.reduce((sum, price) => sum + price, 0n);
  if (code.kind === 'access') return prices.map(() => 0n);
  if (code.kind === 'percent') return divideByShares(percentOf(fullPrice, value), prices);
  const units = toMinorUnits(value, currency);
  if (code.kind === 'amount') return divideByShares(units < fullPrice ? units : fullPrice, prices);
  return prices.map((price, index) => {
    const discount = price - subtotal(units, items[index]?.quantity ?? 0);
    return discount > 0n ? discount : 0n;
  });
}

/** Returns the budget of a code, in minor units; undefined for a code without a budget. */
export function findBudget({ budget }: Pick<Code, 'budget'>, currency: Currency): bigint | undefined {
  return budget === undefined ? undefined : toMinorUnits(budget, currency);
}

/**
 * @throws DomainError 409 when the order would exceed the code's limits as they were read; the write checks them again
 */
export function requireWithinLimits(code: Code, discount: bigint, currency: Currency): void {
  const budget = findBudget(code, currency);
  const areUsesExhausted = code.maxUses !== undefined && code.uses >= code.maxUses;
  if (areUsesExhausted || (budget !== undefined && code.totalDiscount + discount > budget))
    throw codeUsedUp();
}

export const codeUsedUp = () => conflict('code-used-up', 'This code has been used up');
export const codeUsedUpByUser = () =>
  conflict('code-used-up', 'You have used this code as often as one person can');
const codeExpired = () => conflict('discount-expired', 'This code is no longer valid');

function toMinorUnits(decimal: string, currency: Currency): bigint {
  const units = toMinor(decimal, currency);
  if (units === undefined) throw codeExpired();
  return units;
}
