import { setTimeout as sleep } from 'node:timers/promises';
import { sweep } from '../../shared/jobs/sweep/sweep-due.ts';
import { skewClock } from './skew-clock.ts';

/**
 * Sweeps every SWEEP_MILLISECONDS. The clock of this process advances by 61 seconds before each sweep, so that mints
 * whose lease is a minute are due in every sweep.
 */
async function sweepForEver(): Promise<never> {
  for (let sweeps = 1; ; sweeps++) {
    skewClock(sweeps * 61_000);
    await sweep(Date.now() + 55_000).catch(() => {});
    await sleep(Number(process.env.SWEEP_MILLISECONDS));
  }
}

void sweepForEver();
