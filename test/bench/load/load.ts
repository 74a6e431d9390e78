import { eventually } from '../../support/eventually.ts';
import { isQueueIdle } from '../../support/stack.ts';
import { createBuyers } from './buyers.ts';
import { quantile, runAll, runLoad } from './run-load.ts';
import { type PlacedOrder, type Reply, Shop } from './shop.ts';
import type { Stack } from './stack.ts';

/** Orders at one concurrency. Times are in milliseconds. */
export interface OrderLoad {
  concurrency: number;
  ordersPerSecond: number;
  /** Measured until all orders are fulfilled and their mails are sent. */
  finishedPerSecond: number;
  /** Orders that were refused or not confirmed. No other figure includes them. */
  failed: number;
  initializeP50: number;
  initializeP99: number;
  webhookP50: number;
  webhookP99: number;
}

/** Runs before the first measurement, since Node optimizes hot code in each execution environment anew. */
const warmUpSeconds = 60;

/**
 * Places orders of 2 tickets at full speed, each confirmed by a signed webhook, while fulfilment runs concurrently.
 * @param seconds the duration of each run
 */
export async function loadOrders(stack: Stack, seconds: number): Promise<OrderLoad[]> {
  const shop = await Shop.open(stack, 1_000_000);
  const buyers = await createBuyers(4_000);
  let nextBuyer = 0;
  const processOrder = async (ordered: Reply[], confirmed: Reply[]) => {
    const order = await shop.initialize(buyers[nextBuyer++ % buyers.length] ?? '', 2);
    if (order.status !== 201) return false;
    const confirmation = await shop.reportPayment(JSON.parse(order.text));
    if (confirmation.status !== 200) return false;
    ordered.push(order);
    confirmed.push(confirmation);
    return true;
  };
  await runLoad({ concurrency: 10, seconds: warmUpSeconds }, () => processOrder([], []));

  const loads: OrderLoad[] = [];
  for (const concurrency of [1, 10, 50]) {
    await waitUntilFinished(stack);
    const [ordered, confirmed]: [Reply[], Reply[]] = [[], []];
    const startedAt = performance.now();
    const run = await runLoad({ concurrency, seconds }, () => processOrder(ordered, confirmed));
    await waitUntilFinished(stack);
    const finishedAfter = (performance.now() - startedAt) / 1000;
    loads.push({
      concurrency,
      ordersPerSecond: run.completed / run.seconds,
      finishedPerSecond: run.completed / finishedAfter,
      failed: run.failed,
      initializeP50: latency(ordered, 0.5),
      initializeP99: latency(ordered, 0.99),
      webhookP50: latency(confirmed, 0.5),
      webhookP99: latency(confirmed, 0.99),
    });
  }
  shop.close();
  return loads;
}

export interface WebhookFlood {
  deliveries: number;
  perSecond: number;
  /** The share of deliveries that are answered within a second. */
  underOneSecond: number;
  p50: number;
  p99: number;
  /** Deliveries that were not accepted, and orders that could not be placed. */
  failed: number;
}

/** Sends a gateway's backlog of webhooks over a hundred connections. A third of the deliveries repeat an earlier one. */
export async function floodWebhooks(stack: Stack, deliveries: number): Promise<WebhookFlood> {
  const shop = await Shop.open(stack, 1_000_000);
  const tokens = await createBuyers(Math.ceil((deliveries * 2) / 3));
  const replies = await runAll(tokens, 10, (token) => shop.initialize(token, 1));
  const orders = replies
    .filter(({ status }) => status === 201)
    .map(({ text }): PlacedOrder => JSON.parse(text));
  const webhooks = [...orders, ...orders.slice(0, Math.floor(orders.length / 2))];
  const startedAt = performance.now();
  const answers = await runAll(webhooks, 100, (order) => shop.reportPayment(order));
  const seconds = (performance.now() - startedAt) / 1000;
  shop.close();
  return {
    deliveries: webhooks.length,
    perSecond: webhooks.length / seconds,
    underOneSecond: answers.filter(({ milliseconds }) => milliseconds < 1000).length / webhooks.length,
    p50: latency(answers, 0.5),
    p99: latency(answers, 0.99),
    failed: tokens.length - orders.length + answers.filter(({ status }) => status !== 200).length,
  };
}

function latency(replies: readonly Reply[], share: number): number {
  return quantile(
    replies.map(({ milliseconds }) => milliseconds),
    share,
  );
}

/** Waits until all orders are fulfilled and their mails are sent, so that this does not disturb the next measurement. */
export async function waitUntilFinished({ queueUrls }: Stack): Promise<void> {
  for (const queue of ['fulfil', 'mail']) {
    await eventually(`The queue ${queue} is empty`, () => isQueueIdle(queueUrls[queue] ?? ''), {
      seconds: 300,
    });
  }
}
