import { divideEvenly } from '../../../shared/catalog/inventory/inventory.ts';
import { Random } from '../../support/random.ts';
import { assumedMilliseconds } from '../cost.ts';
import { quantile } from '../load/run-load.ts';
import { OrderInitialization } from './order-initialization.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { limits, TableModel } from './table-model.ts';

/** Simulates orders at a steady rate at a new table, and prints the figures of `npm run ops -- load-test` as JSON. */

const [rate = 1, seconds = 1] = process.argv.slice(2).map(Number);
const orders = Math.ceil(rate * seconds);
const clock = new SimulatedClock();
const shards = divideEvenly(orders, 1);
const model = new TableModel(clock, limits.newTableWrites, shards, new Random(1));
const initialization = new OrderInitialization(clock, model, new Random(2));
const times: number[] = [];
let accepted = 0;

const order = async (startsAt: number) => {
  await clock.wait(startsAt);
  if ((await initialization.run(1)) === 'sold') accepted++;
  await clock.wait(assumedMilliseconds.paymentProvider + assumedMilliseconds.request);
  times.push(clock.now - startsAt);
};

const all = Array.from({ length: orders }, (_, index) => order((index * 1_000) / rate));
await clock.run();
await Promise.all(all);
const round = (share: number) => Math.round(quantile(times, share));
console.log(
  JSON.stringify({
    orders,
    accepted,
    ordersPerSecond: Math.round((10_000 * orders) / clock.now) / 10,
    p50: round(0.5),
    p99: round(0.99),
    longest: round(1),
  }),
);
