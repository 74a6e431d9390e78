/** Moves this process's clock. Timers keep running by the real one. @param milliseconds in all, not in addition */
export function skewClock(milliseconds: number): void {
  skew = milliseconds;
  globalThis.Date = SkewedDate as DateConstructor;
}

const RealDate = Date;
let skew = 0;

class SkewedDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RealDate.now() + skew);
    // biome-ignore lint/suspicious/noExplicitAny: passes on what the constructor takes
    else super(...(given as [any]));
  }
  static override now(): number {
    return RealDate.now() + skew;
  }
}
