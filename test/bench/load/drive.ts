/** The number of completed and failed jobs, and the duration in seconds. */
export interface Driven {
  done: number;
  failed: number;
  seconds: number;
}

/**
 * Runs `concurrency` jobs at a time until the time is up, and waits for the jobs in progress.
 * @param job returns whether it succeeded
 */
export async function drive(
  { concurrency, seconds }: { concurrency: number; seconds: number },
  job: () => Promise<boolean>,
): Promise<Driven> {
  const begun = performance.now();
  let done = 0;
  let failed = 0;
  const lane = async () => {
    while (performance.now() - begun < seconds * 1000) {
      if (await job()) done++;
      else failed++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return { done, failed, seconds: (performance.now() - begun) / 1000 };
}

/** Runs each job once, `concurrency` at a time. */
export async function driveAll<Job, Result>(
  jobs: readonly Job[],
  concurrency: number,
  run: (job: Job) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = jobs.entries();
  const lane = async () => {
    for (const [at, job] of left) results[at] = await run(job);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return results;
}

/** Returns a quantile: the value that the given share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
