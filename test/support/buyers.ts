import type { Stack } from './stack.ts';
import { useTableOf } from './table.ts';

/**
 * Access tokens of new buyers, put into a stack's table directly, as the bench has them. The stack must have been
 * started with `JWT_ACCESS_SECRET` as it stands in this process.
 */
export async function makeBuyers(stack: Stack, count: number): Promise<string[]> {
  useTableOf(stack);
  const bench = await import('../bench/load/buyers.ts');
  return bench.makeBuyers(count);
}
