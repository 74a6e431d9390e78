/** How many jobs were done, how many failed, and how many seconds it took. */
export interface Driven {
  done: number;
  failed: number;
  seconds: number;
}

/**
 * Keeps `concurrency` jobs under way until the time is up; those under way are still waited for.
 * @param job says whether it succeeded
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

/** Does each job once, `concurrency` at a time. */
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

/** The value that so large a share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
