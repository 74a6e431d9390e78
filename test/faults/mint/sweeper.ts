import { sweep } from '../../../shared/sweep/sweep-due.ts';

/** Sweeps again and again, and lets a minute pass in between that takes only as long as SWEEP_MILLISECONDS. */

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
    await new Promise((resolve) => setTimeout(resolve, Number(process.env.SWEEP_MILLISECONDS)));
  }
}

void sweepForEver();
