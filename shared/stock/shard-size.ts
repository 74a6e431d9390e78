import { optional } from '../env.ts';

/** How many tickets one shard is for: bigger pools are spread over several. Default 1,000. */
export function ticketsPerShard(): number {
  return Number(optional('STOCK_SHARD_SIZE') ?? 1000);
}
