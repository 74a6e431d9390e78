import { readProcessorTime } from './processor-time.ts';
import type { Stack } from './stack.ts';

/** Waits until the stack is idle, so that it does not disturb the next measurement. */
export async function waitUntilIdle(stack: Stack): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const before = readProcessorTime(stack.pid).MainThread ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
    if ((readProcessorTime(stack.pid).MainThread ?? 0) - before < 0.1) return;
  }
}
