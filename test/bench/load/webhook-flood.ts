import { createBuyers } from './buyers.ts';
import { quantile, runAll } from './run-load.ts';
import { type PlacedOrder, Shop } from './shop.ts';
import type { Stack } from './stack.ts';

/** The result of a webhook flood. */
export interface WebhookFlood {
  deliveries: number;
  /** The number of deliveries that repeat an earlier one. */
  repeated: number;
  concurrency: number;
  perSecond: number;
  /** The share of deliveries that are answered within a second. */
  underOneSecond: number;
  /** Quantiles of the deliveries' latencies, in milliseconds. */
  p50: number;
  p99: number;
  /** Deliveries that were not accepted, and orders that could not be placed. */
  failed: number;
}

const concurrency = 100;

/** Sends a gateway's backlog of webhooks over a hundred connections. A third of the deliveries are repeated. */
export async function floodWebhooks(stack: Stack, deliveries: number): Promise<WebhookFlood> {
  const shop = await Shop.open(stack, 1_000_000);
  const tokens = await createBuyers(Math.ceil((deliveries * 2) / 3));
  const replies = await runAll(tokens, 10, (token) => shop.initialize(token, 1));
  const orders = replies.flatMap(({ status, text }): PlacedOrder[] =>
    status === 201 ? [JSON.parse(text)] : [],
  );
  const repeated = Math.floor(orders.length / 2);
  const webhooks = shuffle([...orders, ...orders.slice(0, repeated)]);
  const startedAt = performance.now();
  const answers = await runAll(webhooks, concurrency, (order) => shop.reportPayment(order));
  const seconds = (performance.now() - startedAt) / 1000;
  shop.close();
  const latencies = answers.map(({ milliseconds }) => milliseconds);
  return {
    deliveries: webhooks.length,
    repeated,
    concurrency,
    perSecond: webhooks.length / seconds,
    underOneSecond: latencies.filter((milliseconds) => milliseconds < 1000).length / webhooks.length,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failed: tokens.length - orders.length + answers.filter(({ status }) => status !== 200).length,
  };
}

/**
 * Reorders the values, in the same way in each run. The step and the length have no common factor, so each value occurs
 * exactly once.
 */
function shuffle<Value>(values: readonly Value[]): Value[] {
  const step = [7_919, 6_101, 4_999].find((prime) => values.length % prime !== 0) ?? 1;
  return values.map((_, index) => values[(index * step) % values.length] as Value);
}
