/** Waits a random while that grows with the attempt, counted from 1. */
export function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longestPause(attempt)));
}

/** In milliseconds: 25, 50, 100, … 800. */
export function longestPause(attempt: number): number {
  return 25 * 2 ** Math.min(attempt - 1, 5);
}
