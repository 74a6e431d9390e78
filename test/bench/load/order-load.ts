import { type Driven, drive, quantile } from './drive.ts';
import { startFloor } from './floor.ts';
import { difference, type ProcessorTime, processorTime } from './processor-time.ts';
import { settled } from './settled.ts';
import { Shop } from './shop.ts';
import type { Stack } from './stack.ts';

export interface OrderLoad {
  concurrency: number;
  orders: number;
  /** Orders that were refused or not confirmed. No other figure includes them. */
  failed: number;
  ordersPerSecond: number;
  floorPerSecond: number;
  ofFloor: number;
  initializeP50: number;
  initializeP99: number;
  webhookP50: number;
  webhookP99: number;
  /** Milliseconds of a core per order: the stack's Node process, and the store. */
  node: number;
  store: number;
}

const concurrencies = [1, 10, 50];

/** How often service and floor alternate at each concurrency, so that both run under the same load of the machine. */
const turns = 3;

/**
 * Places orders of 2 tickets at full speed, each confirmed by a signed webhook, while fulfilment runs concurrently.
 * Alternates with the floor.
 * @param seconds the duration of each run
 */
export async function loadOrders(stack: Stack, seconds: number): Promise<OrderLoad[]> {
  const { makeBuyers } = await import('./buyers.ts');
  const shop = await Shop.open(stack, 1_000_000);
  const floor = startFloor(stack);
  const buyers = await makeBuyers(4_000);
  let next = 0;
  const sell = async (initialize: number[], webhook: number[]) => {
    const token = buyers[next++ % buyers.length] ?? '';
    const ordered = await shop.initialize(token, 2);
    if (ordered.status !== 201) return false;
    const delivered = await shop.deliver(JSON.parse(ordered.text));
    if (delivered.status !== 200) return false;
    initialize.push(ordered.milliseconds);
    webhook.push(delivered.milliseconds);
    return true;
  };
  // Warm-up: functions start cold, and Node compiles only hot code. Cold starts are measured separately.
  await drive({ concurrency: 10, seconds: 4 * seconds }, () => sell([], []));
  await floor.drive({ concurrency: 10, seconds });

  const loads: OrderLoad[] = [];
  for (const concurrency of concurrencies) {
    const [initialize, webhook]: [number[], number[]] = [[], []];
    const [ours, theirs]: [Driven[], Driven[]] = [[], []];
    const used: ProcessorTime[] = [];
    for (let turn = 0; turn < turns; turn++) {
      await settled(stack);
      const before = processorTime(stack.pid);
      ours.push(await drive({ concurrency, seconds }, () => sell(initialize, webhook)));
      used.push(difference(before, processorTime(stack.pid)));
      await settled(stack);
      theirs.push(await floor.drive({ concurrency, seconds: seconds / 2 }));
    }
    const orders = ours.reduce((sum, { done }) => sum + done, 0);
    loads.push({
      concurrency,
      orders,
      failed: ours.reduce((sum, { failed }) => sum + failed, 0),
      ordersPerSecond: perSecond(ours),
      floorPerSecond: perSecond(theirs),
      ofFloor: perSecond(ours) / perSecond(theirs),
      initializeP50: quantile(initialize, 0.5),
      initializeP99: quantile(initialize, 0.99),
      webhookP50: quantile(webhook, 0.5),
      webhookP99: quantile(webhook, 0.99),
      node: each(used, 'MainThread', orders),
      store: each(used, 'dynoxide', orders),
    });
  }
  floor.stop();
  shop.close();
  return loads;
}

function perSecond(turns: readonly Driven[]): number {
  const done = turns.reduce((sum, turn) => sum + turn.done, 0);
  return done / turns.reduce((sum, turn) => sum + turn.seconds, 0);
}

/** Returns the milliseconds of a core that a program used per order. */
function each(used: readonly ProcessorTime[], program: string, orders: number): number {
  return (used.reduce((sum, times) => sum + (times[program] ?? Number.NaN), 0) * 1_000) / orders;
}
