/** Sets how far `Date` is ahead of the real time in this process. Timers are not affected. */
export function skewClock(milliseconds: number): void {
  skew = milliseconds;
  globalThis.Date = SkewedDate as DateConstructor;
}

const RealDate = Date;
let skew = 0;

class SkewedDate extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(RealDate.now() + skew);
    // biome-ignore lint/suspicious/noExplicitAny: passes the arguments on
    else super(...(args as [any]));
  }
  static override now(): number {
    return RealDate.now() + skew;
  }
}
