import { setTimeout as sleep } from 'node:timers/promises';
import { sweep } from '../../../shared/sweep/sweep-due.ts';

/** Sweeps continuously; its clock advances a minute between two sweeps, which takes SWEEP_MILLISECONDS. */

const RealDate = Date;
let ahead = 0;

globalThis.Date = class extends RealDate {
  constructor(...parts: []) {
    if (parts.length > 0) super(...parts);
    else super(RealDate.now() + ahead);
  }

  static override now(): number {
    return RealDate.now() + ahead;
  }
} as DateConstructor;

async function sweepForEver(): Promise<never> {
  for (;;) {
    ahead += 61_000;
    await sweep(Date.now() + 55_000).catch(() => {});
    await sleep(Number(process.env.SWEEP_MILLISECONDS));
  }
}

void sweepForEver();
