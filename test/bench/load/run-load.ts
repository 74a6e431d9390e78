export interface LoadResult {
  completed: number;
  failed: number;
  seconds: number;
}

/**
 * Starts jobs for a number of seconds, `concurrency` at a time, and waits for those in progress at the end.
 * @param job returns whether it succeeded
 */
export async function runLoad(
  { concurrency, seconds }: { concurrency: number; seconds: number },
  job: () => Promise<boolean>,
): Promise<LoadResult> {
  const startedAt = performance.now();
  let completed = 0;
  let failed = 0;
  const worker = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      if (await job()) completed++;
      else failed++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { completed, failed, seconds: (performance.now() - startedAt) / 1000 };
}

/** Runs each job once, `concurrency` at a time. */
export async function runAll<Job, Result>(
  jobs: readonly Job[],
  concurrency: number,
  run: (job: Job) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = jobs.entries();
  const worker = async () => {
    for (const [index, job] of remaining) results[index] = await run(job);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}

/** Returns a quantile: the value that the given share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
