import * as z from 'zod';

/**
 * `cancel` ends the orders of a cancelled event, `mint-again` queues those whose contract was not authorized,
 * `announce-move` mails those who have seats that the date or the venue has changed.
 */
export const eventJobKinds = ['cancel', 'mint-again', 'announce-move'] as const;

/** Work on all orders of an event, done in slices. Times are ISO 8601 in UTC. */
const eventJob = z.object({
  eventId: z.string(),
  organizerId: z.string(),
  kind: z.enum(eventJobKinds),
  startedAt: z.string(),
  /** When the present pass over the orders began; absent before its first slice. */
  passStartedAt: z.string().optional(),
  /** The last order of the present pass that is done; passes go from the newest order to the oldest. */
  cursor: z.string().optional(),
  /** Orders of the present pass that failed. */
  failures: z.number(),
  /** Passes that left a failed order behind, one after the other. */
  failedPasses: z.number(),
  /** Incremented by every write: of two workers at once, the one that writes second stops. */
  writes: z.number(),
  updatedAt: z.string(),
});
export type EventJob = z.infer<typeof eventJob>;

/** Reads a stored item as a job. @throws ZodError for an item that is none */
export function toEventJob(item: unknown): EventJob {
  return eventJob.parse(item);
}

/**
 * How long after its start a job makes a last pass, in milliseconds: the index may not list an order that was created
 * just before, and a worker may write what it decided just before.
 */
export const settlingMilliseconds = 5 * 60_000;

const firstBackoff = 60_000;
const longestBackoff = 15 * 60_000;

/**
 * Decides after a pass when the next one begins (epoch milliseconds); undefined when the job is done: every order of a
 * pass that began after the settling time is done.
 */
export function nextPass(job: EventJob, now: number): number | undefined {
  if (job.failures > 0) return now + Math.min(firstBackoff * 2 ** job.failedPasses, longestBackoff);
  const settled = Date.parse(job.startedAt) + settlingMilliseconds;
  return Date.parse(job.passStartedAt ?? job.startedAt) >= settled ? undefined : Math.max(settled, now);
}
