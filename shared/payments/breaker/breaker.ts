import * as z from 'zod';

/** The circuit breaker of a provider. The item exists from the first failure until the provider answers again. */
const breaker = z.object({
  provider: z.string(),
  /** Consecutive failures. */
  failures: z.number(),
  /** When a caller may try the provider again (epoch milliseconds); absent while the breaker is closed. */
  openUntil: z.number().optional(),
});
export type Breaker = z.infer<typeof breaker>;

/** Parses a stored item as a breaker. @throws ZodError for any other item */
export function toBreaker(item: unknown): Breaker {
  return breaker.parse(item);
}

/** Consecutive failures that open the breaker. */
export const failureThreshold = 5;

/**
 * How long a breaker stays open, in milliseconds. Then one caller tries the provider, and the breaker stays open if
 * that call fails.
 */
export const breakerOpenMilliseconds = 30_000;

export function isBreakerOpen(breaker: Breaker | undefined): breaker is Breaker & { openUntil: number } {
  return breaker?.openUntil !== undefined;
}
