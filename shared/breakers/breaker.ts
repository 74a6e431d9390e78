import * as z from 'zod';

/** The recent failures of a provider. Absent until the first. */
const breaker = z.object({
  provider: z.string(),
  /** In a row. */
  failures: z.number(),
  /** The provider is not asked before (epoch milliseconds); absent below the threshold. */
  openUntil: z.number().optional(),
});
export type Breaker = z.infer<typeof breaker>;

/** Reads a stored item as a breaker. @throws ZodError for an item that is none */
export function toBreaker(item: unknown): Breaker {
  return breaker.parse(item);
}

/** Failures in a row after which a provider is left alone. */
export const threshold = 5;

/** For how long, in milliseconds; then one worker asks it once, and a failure extends the time. */
export const openMilliseconds = 30_000;

export function isOpen(breaker: Breaker | undefined): breaker is Breaker & { openUntil: number } {
  return breaker?.openUntil !== undefined;
}
