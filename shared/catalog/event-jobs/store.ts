import { dueAttributes, keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { put, remove, update, type Write, write } from '../../dynamo/write.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { log } from '../../runtime/telemetry.ts';
import { type EventJob, toEventJob } from './event-job.ts';

/** Another worker has continued the job, or it was started again. */
export class EventJobChanged extends Error {}

/** Returns when a job that is queued now becomes due: when its message is probably lost. */
export const queuedJobDueAt = () => Date.now() + outboxDelayMilliseconds;

/** A job that starts. */
export type NewEventJob = Pick<EventJob, 'eventId' | 'organizerId' | 'kind' | 'startedAt'>;

/** Queues a job that is due later. The sweep queues it when this message is lost. */
export async function queueEventJob({ eventId, organizerId, kind }: NewEventJob): Promise<void> {
  try {
    await sendMessage('run-event-jobs', { type: 'run-job', eventId, kind }, { tenant: organizerId });
  } catch (error) {
    log.error('Event job could not be queued', error, { eventId, kind });
  }
}

/**
 * Returns the write that starts a job. It restarts a job of the same kind that is under way.
 * @param dueAt when the sweep queues it (epoch milliseconds); by default at once, for a job that nobody else queues
 */
export function insertEventJob(job: NewEventJob, dueAt = Date.now()): Write {
  const now = Date.now();
  return put({
    ...keys.eventJob(job.eventId, job.kind),
    ...job,
    failures: 0,
    failedPasses: 0,
    // A new number, so that a worker that has read the job before it was restarted can't write it.
    writes: now,
    updatedAt: new Date(now).toISOString(),
    ...dueAttributes(job.eventId, dueAt),
  });
}

export async function findEventJob(eventId: string, kind: EventJob['kind']): Promise<EventJob | undefined> {
  const item = await getItem(keys.eventJob(eventId, kind));
  return item && toEventJob(item);
}

type Progress = Partial<
  Pick<EventJob, 'passStartedAt' | 'cursor' | 'failures' | 'failedPasses' | 'hasTokens'>
>;

/**
 * Stores the progress of a job.
 * @param nextDueAt when the sweep queues the job again (epoch milliseconds)
 * @returns the changed job
 * @throws EventJobChanged when the job was written or removed since it was read
 */
export async function saveProgress(job: EventJob, progress: Progress, nextDueAt: number): Promise<EventJob> {
  const set = {
    ...progress,
    writes: job.writes + 1,
    updatedAt: new Date().toISOString(),
    ...dueAttributes(job.eventId, nextDueAt),
  };
  return toEventJob(await write(update(keys.eventJob(job.eventId, job.kind), { set }, whenUnchanged(job))));
}

/** @throws EventJobChanged when the job was written or removed since it was read */
export async function removeEventJob(job: EventJob): Promise<void> {
  await write(remove(keys.eventJob(job.eventId, job.kind), whenUnchanged(job)));
}

function whenUnchanged({ writes }: EventJob) {
  return { when: '#writes = :expected', values: { expected: writes }, orThrow: () => new EventJobChanged() };
}
