import { getItem } from '../dynamo/client.ts';
import { dueAt, keys } from '../dynamo/keys.ts';
import { put, remove, update, type Write, write } from '../dynamo/write.ts';
import { type EventJob, toEventJob } from './event-job.ts';

/** Another worker has the job, or it was started anew. */
export class EventJobMoved extends Error {}

/** Starts a job, due at once. A job of the same kind that is under way begins again. */
export function insertEventJob(job: Pick<EventJob, 'eventId' | 'organizerId' | 'kind' | 'startedAt'>): Write {
  const now = Date.now();
  return put({
    ...keys.eventJob(job.eventId, job.kind),
    ...job,
    failures: 0,
    failedPasses: 0,
    // Differs from what a worker of an earlier start has read.
    writes: now,
    updatedAt: new Date(now).toISOString(),
    ...dueAt(job.eventId, now),
  });
}

export async function findEventJob(eventId: string, kind: EventJob['kind']): Promise<EventJob | undefined> {
  const item = await getItem(keys.eventJob(eventId, kind));
  return item && toEventJob(item);
}

type Progress = Partial<Pick<EventJob, 'passStartedAt' | 'cursor' | 'failures' | 'failedPasses'>>;

/**
 * Stores how far a job is.
 * @param due when the sweep hands it to a worker again (epoch milliseconds)
 * @returns the job after it
 * @throws EventJobMoved
 */
export async function saveProgress(job: EventJob, progress: Progress, due: number): Promise<EventJob> {
  const set = {
    ...progress,
    writes: job.writes + 1,
    updatedAt: new Date().toISOString(),
    ...dueAt(job.eventId, due),
  };
  return toEventJob(await write(update(keys.eventJob(job.eventId, job.kind), { set }, asRead(job))));
}

/** @throws EventJobMoved */
export async function removeEventJob(job: EventJob): Promise<void> {
  await write(remove(keys.eventJob(job.eventId, job.kind), asRead(job)));
}

function asRead({ writes }: EventJob) {
  return { when: '#writes = :seen', values: { seen: writes }, refused: () => new EventJobMoved() };
}
