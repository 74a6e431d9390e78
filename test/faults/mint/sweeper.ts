import { setTimeout as sleep } from 'node:timers/promises';
import { sweep } from '../../../shared/jobs/sweep/sweep-due.ts';

/**
 * Sweeps every SWEEP_MILLISECONDS. The clock of this process advances by 61 seconds before each sweep, so that mints
 * whose lease is a minute are due in every sweep.
 */

const RealDate = Date;
let skewMilliseconds = 0;

globalThis.Date = class extends RealDate {
  constructor(...args: []) {
    if (args.length > 0) super(...args);
    else super(RealDate.now() + skewMilliseconds);
  }

  static override now(): number {
    return RealDate.now() + skewMilliseconds;
  }
} as DateConstructor;

async function sweepForEver(): Promise<never> {
  for (;;) {
    skewMilliseconds += 61_000;
    const deadline = Date.now() + 55_000;
    await sweep(deadline).catch(() => {});
    await sleep(Number(process.env.SWEEP_MILLISECONDS));
  }
}

void sweepForEver();
