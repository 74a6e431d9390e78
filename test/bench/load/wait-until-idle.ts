import { readProcessorTime } from './processor-time.ts';
import type { Stack } from './stack.ts';

/**
 * Waits until the stack is idle, so that it does not disturb the next measurement: until its Node processes use less
 * than a fifth of a core. Returns after a minute in any case.
 */
export async function waitUntilIdle(stack: Stack): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const secondsBefore = readProcessorTime(stack.pid).MainThread ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
    if ((readProcessorTime(stack.pid).MainThread ?? 0) - secondsBefore < 0.1) return;
  }
}
