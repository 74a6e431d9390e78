import { functions } from '../../../infra/functions.ts';
import { reservedConcurrency, type StageConfiguration } from '../../../infra/stages.ts';
import { breakerOpenMilliseconds, failureThreshold } from '../../../shared/payments/breaker.ts';
import { startTimeoutMilliseconds } from '../../../shared/payments/provider.ts';
import { assumedMilliseconds } from '../cost.ts';
import { SimulatedClock } from './simulated-clock.ts';

/** The default quota of an account. */
const accountConcurrency = 1_000;
const ordersPerSecond = 500;
const seconds = 60;
const { request, transaction } = assumedMilliseconds;
/** The duration of an order apart from the call to the provider. */
const orderMilliseconds = 2 * request + transaction;

/** What goes on beside the orders: calls a second, their duration, and the function whose reservation they use. */
const otherCalls = {
  'event pages': { perSecond: 1_000, milliseconds: 2 * request, entry: 'events/get-event' },
  logins: { perSecond: 50, milliseconds: 350, entry: 'auth/login' },
  'check-ins': { perSecond: 20, milliseconds: 2 * request + transaction, entry: 'tickets/check-in' },
  sweeps: { perSecond: 1 / 60, milliseconds: 30_000, entry: 'workers/sweep' },
};

export interface SlowProvider {
  /** The largest number of executions that orders used. */
  ordersAtOnce: number;
  ordersThrottled: number;
  /** Orders that waited for the provider until the timeout. */
  ordersFailed: number;
  /** Orders that the open breaker refused. */
  ordersRefused: number;
  /** Throttled calls of everything else, by what they are. */
  throttled: Record<string, number>;
}

/** Simulates a minute of 500 orders a second while the provider answers after 8 s. */
export async function simulateSlowProvider(stage: StageConfiguration): Promise<SlowProvider> {
  const clock = new SimulatedClock();
  const reservations = new Map(functions.map((row) => [row.entry, reservedConcurrency(row, stage)]));
  const allReserved = [...reservations.values()].reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const running = new Map<string, number>();
  /** Runs a call, unless its pool of executions is full. @returns whether it ran */
  const run = async (entry: string, call: () => Promise<void>): Promise<boolean> => {
    const reserved = reservations.get(entry);
    const pool = reserved === undefined ? 'unreserved' : entry;
    const count = running.get(pool) ?? 0;
    if (count >= (reserved ?? accountConcurrency - allReserved)) return false;
    running.set(pool, count + 1);
    await call();
    running.set(pool, (running.get(pool) ?? 0) - 1);
    return true;
  };

  const result: SlowProvider = {
    ordersAtOnce: 0,
    ordersThrottled: 0,
    ordersFailed: 0,
    ordersRefused: 0,
    throttled: {},
  };
  const breaker = { failures: 0, openUntil: 0 };
  let orders = 0;
  const order = async (arrivesAt: number) => {
    await clock.wait(arrivesAt);
    const hasRun = await run('orders/initialize-order', async () => {
      result.ordersAtOnce = Math.max(result.ordersAtOnce, ++orders);
      await clock.wait(orderMilliseconds);
      if (breaker.openUntil > clock.now) result.ordersRefused++;
      else {
        // One order tries the provider while the breaker is open.
        if (breaker.openUntil > 0) breaker.openUntil = clock.now + breakerOpenMilliseconds;
        await clock.wait(startTimeoutMilliseconds);
        result.ordersFailed++;
        if (++breaker.failures >= failureThreshold && breaker.openUntil === 0)
          breaker.openUntil = clock.now + breakerOpenMilliseconds;
      }
      orders--;
    });
    if (!hasRun) result.ordersThrottled++;
  };
  const other = async (name: string, entry: string, milliseconds: number, arrivesAt: number) => {
    await clock.wait(arrivesAt);
    const hasRun = await run(entry, () => clock.wait(milliseconds));
    if (!hasRun) result.throttled[name] = (result.throttled[name] ?? 0) + 1;
  };

  const arrivals = (perSecond: number) =>
    Array.from({ length: perSecond * seconds }, (_, index) => ((index + 0.5) * 1_000) / perSecond);
  const all = [
    ...arrivals(ordersPerSecond).map(order),
    ...Object.entries(otherCalls).flatMap(([name, { perSecond, milliseconds, entry }]) => {
      result.throttled[name] = 0;
      return arrivals(perSecond).map((arrivesAt) => other(name, entry, milliseconds, arrivesAt));
    }),
  ];
  await clock.run();
  await Promise.all(all);
  return result;
}
