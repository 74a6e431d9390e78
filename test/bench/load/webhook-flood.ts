import { driveAll, quantile } from './drive.ts';
import { type Placed, Shop } from './shop.ts';
import type { Stack } from './stack.ts';

export interface WebhookFlood {
  deliveries: number;
  /** How many of them were repeated. */
  repeated: number;
  concurrency: number;
  perSecond: number;
  underOneSecond: number;
  p50: number;
  p99: number;
  /** Deliveries that were not accepted, and orders that could not be placed. */
  failed: number;
}

const concurrency = 100;

/** A provider's backlog: many deliveries from a hundred connections, a third of them repeated. */
export async function floodWebhooks(stack: Stack, deliveries: number): Promise<WebhookFlood> {
  const { makeBuyers } = await import('./buyers.ts');
  const shop = await Shop.open(stack, 1_000_000);
  const tokens = await makeBuyers(Math.ceil((deliveries * 2) / 3));
  const placed = await driveAll(tokens, 10, (token) => shop.initialize(token, 1));
  const orders = placed.flatMap(({ status, text }): Placed[] => (status === 201 ? [JSON.parse(text)] : []));
  const repeated = Math.floor(orders.length / 2);
  const flood = shuffled([...orders, ...orders.slice(0, repeated)]);
  const begun = performance.now();
  const answers = await driveAll(flood, concurrency, (order) => shop.deliver(order));
  const seconds = (performance.now() - begun) / 1000;
  shop.close();
  const waited = answers.map(({ milliseconds }) => milliseconds);
  return {
    deliveries: flood.length,
    repeated,
    concurrency,
    perSecond: flood.length / seconds,
    underOneSecond: waited.filter((milliseconds) => milliseconds < 1000).length / flood.length,
    p50: quantile(waited, 0.5),
    p99: quantile(waited, 0.99),
    failed: tokens.length - orders.length + answers.filter(({ status }) => status !== 200).length,
  };
}

/** Mixes the order in the same way in each run. The multiplier and the length have no common factor. */
function shuffled<Value>(values: readonly Value[]): Value[] {
  const step = [7_919, 6_101, 4_999].find((prime) => values.length % prime !== 0) ?? 1;
  return values.map((_, index) => values[(index * step) % values.length] as Value);
}
