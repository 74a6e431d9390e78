import * as z from 'zod';

/**
 * `cancel` ends the unpaid orders of a cancelled event and refunds the paid ones. `mint-again` queues the paid orders whose
 * contract was not authorized. `announce-reschedule` mails all seat holders about a new date or venue. `delete` removes the
 * staff and the discount codes of a deleted event.
 */
export const eventJobKinds = ['cancel', 'mint-again', 'announce-reschedule', 'delete'] as const;

/** Work on all that belongs to an event, such as its orders, done in slices. Times are ISO 8601 in UTC. */
const eventJob = z.object({
  eventId: z.string(),
  organizerId: z.string(),
  kind: z.enum(eventJobKinds),
  startedAt: z.string(),
  /** When the current pass over the orders began; absent before its first slice. */
  passStartedAt: z.string().optional(),
  /** The id of the last order that the current pass has processed. A pass goes from the newest order to the oldest. */
  cursor: z.string().optional(),
  /** The number of orders that failed in the current pass. */
  failures: z.number(),
  /** Whether a pass has found an order whose tickets were minted. */
  hasTokens: z.boolean().optional(),
  /** The number of consecutive passes in which an order failed. */
  failedPasses: z.number(),
  /**
   * The number of writes, for optimistic locking. Of two concurrent workers, the second to write finds another number
   * and stops.
   */
  writes: z.number(),
  updatedAt: z.string(),
});
export type EventJob = z.infer<typeof eventJob>;

/** Parses a stored item as a job. @throws ZodError for any other item */
export function toEventJob(item: unknown): EventJob {
  return eventJob.parse(item);
}

/**
 * The shortest time from the start of a job to its last pass, in milliseconds. Before that, the index may not list an
 * order created just before the start, and a worker may still write a decision made before the start.
 */
export const settlingMilliseconds = 5 * 60_000;

const firstBackoffMilliseconds = 60_000;
const longestBackoffMilliseconds = 15 * 60_000;

/**
 * Returns when the next pass begins (epoch milliseconds); undefined when the job is done. A job is done when no order
 * fails in a pass that began after the settling time.
 */
export function nextPassAt(job: EventJob, now: number): number | undefined {
  if (job.failures > 0)
    return now + Math.min(firstBackoffMilliseconds * 2 ** job.failedPasses, longestBackoffMilliseconds);
  const settledAt = Date.parse(job.startedAt) + settlingMilliseconds;
  return Date.parse(job.passStartedAt ?? job.startedAt) >= settledAt ? undefined : Math.max(settledAt, now);
}
