import { driveAll, quantile } from './drive.ts';
import { settled } from './settled.ts';
import { Shop } from './shop.ts';
import type { Stack } from './stack.ts';

export interface FlashSale {
  shards: number;
  buyers: number;
  tickets: number;
  sold: number;
  refused: number;
  /** Responses that were neither an order nor a “Sold out”, and payments that were not accepted. */
  failed: number;
  seconds: number;
  answersPerSecond: number;
  p50: number;
  p99: number;
}

/** Concurrent buyers of one tier, of whom a tenth can get a ticket. Then all sold tickets are paid. */
export async function flashSale(stack: Stack, buyers: number, shards: number): Promise<FlashSale> {
  const { makeBuyers } = await import('./buyers.ts');
  const tickets = buyers / 10;
  const shop = await Shop.open(stack, tickets);
  const tokens = await makeBuyers(buyers);
  const begun = performance.now();
  const answers = await driveAll(tokens, buyers, (token) => shop.initialize(token, 1));
  const seconds = (performance.now() - begun) / 1000;
  const sold = answers.filter(({ status }) => status === 201);
  const paid = await driveAll(sold, 20, ({ text }) => shop.deliver(JSON.parse(text)));
  shop.close();
  await settled(stack);
  const refused = answers.filter(({ status }) => status === 409).length;
  const waited = answers.map(({ milliseconds }) => milliseconds);
  return {
    shards,
    buyers,
    tickets,
    sold: sold.length,
    refused,
    failed: buyers - sold.length - refused + paid.filter(({ status }) => status !== 200).length,
    seconds,
    answersPerSecond: buyers / seconds,
    p50: quantile(waited, 0.5),
    p99: quantile(waited, 0.99),
  };
}
