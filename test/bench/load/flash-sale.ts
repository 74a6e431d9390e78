import { createBuyers } from './buyers.ts';
import { quantile, runAll } from './run-load.ts';
import { Shop } from './shop.ts';
import type { Stack } from './stack.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

export interface FlashSale {
  /** The number of inventory shards of the tier. */
  shards: number;
  buyers: number;
  tickets: number;
  sold: number;
  refused: number;
  /** Responses that were neither an order nor a “Sold out”, and payments that were not accepted. */
  failed: number;
  seconds: number;
  answersPerSecond: number;
  /** The median and the 99th percentile of the order requests' latencies, in milliseconds. */
  p50: number;
  p99: number;
}

/**
 * Lets all buyers order from one tier at once, with tickets for a tenth of them. Then pays all sold tickets.
 * @param shards copied to the result: the stack's STOCK_SHARD_SIZE determines the number of shards
 */
export async function runFlashSale(stack: Stack, buyers: number, shards: number): Promise<FlashSale> {
  const tickets = buyers / 10;
  const shop = await Shop.open(stack, tickets);
  const tokens = await createBuyers(buyers);
  const startedAt = performance.now();
  const answers = await runAll(tokens, buyers, (token) => shop.initialize(token, 1));
  const seconds = (performance.now() - startedAt) / 1000;
  const sold = answers.filter(({ status }) => status === 201);
  const paid = await runAll(sold, 20, ({ text }) => shop.reportPayment(JSON.parse(text)));
  shop.close();
  await waitUntilIdle(stack);
  const refused = answers.filter(({ status }) => status === 409).length;
  const latencies = answers.map(({ milliseconds }) => milliseconds);
  return {
    shards,
    buyers,
    tickets,
    sold: sold.length,
    refused,
    failed: buyers - sold.length - refused + paid.filter(({ status }) => status !== 200).length,
    seconds,
    answersPerSecond: buyers / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}
