import { describe, expect, it } from 'vitest';
import type { Measured } from '../../bench/measured.ts';
import { evaluateGoals } from '../../bench/report/goals.ts';

/** Creates the results of a run that just reaches every goal. */
function createResults(): Measured {
  const load = {
    ordersPerSecond: 160,
    shareOfFloor: 0.6,
    webhookP99: 99,
    failed: 0,
  };
  const measured = {
    loads: [
      { ...load, concurrency: 1, ordersPerSecond: 50 },
      { ...load, concurrency: 10 },
      { ...load, concurrency: 50, webhookP99: 400 },
    ],
    flashSales: [{ tickets: 150, sold: 150, failed: 0 }],
    flood: { underOneSecond: 1, failed: 0 },
    inventoryDifferences: 0,
    coldStarts: [
      { function: 'health-health', bytes: 6_000, baselineBytes: 5_700, ratio: 1.2 },
      { function: 'orders-initialize-order', bytes: 499_000, baselineBytes: 1_429_000, ratio: 0.6 },
      { function: 'workers-mint-tickets', bytes: 600_000, baselineBytes: 1_500_000, ratio: 0.7 },
    ],
    coreShares: [
      { isConfigured: false, first: 500, p99: 300, waiting: 20 },
      { isConfigured: true, first: 280, p99: 240, waiting: 180 },
      { isConfigured: true, first: 120, p99: 80, waiting: 20 },
    ],
    costs: {
      unminted: { total: 20 },
      minted: { total: 38 },
      unmintedInBatches: { total: 17 },
      mintedInBatches: { total: 28 },
    },
  };
  return measured as unknown as Measured;
}

const findMissed = (measured: Measured) =>
  evaluateGoals(measured)
    .filter(({ reached }) => !reached)
    .map(({ goal }) => goal);

describe('goals', () => {
  it('are reported as reached when the run reaches them all', () => {
    expect(evaluateGoals(createResults())).toHaveLength(11);
    expect(findMissed(createResults())).toEqual([]);
  });

  it.each<[string, (measured: Measured) => void]>([
    ['160 orders/s', ({ loads: [, , fifty] }) => Object.assign(fifty ?? {}, { ordersPerSecond: 159 })],
    ['60 % of the floor', ({ loads: [, ten] }) => Object.assign(ten ?? {}, { shareOfFloor: 0.59 })],
    ['first call', ({ coreShares = [] }) => Object.assign(coreShares[1] ?? {}, { first: 281 })],
    ['warm p99', ({ coreShares = [] }) => Object.assign(coreShares[2] ?? {}, { p99: 81 })],
    ['within 100 ms', ({ loads: [, ten] }) => Object.assign(ten ?? {}, { webhookP99: 100 })],
    ['within 100 ms', ({ loads: [, ten] }) => Object.assign(ten ?? {}, { webhookP99: Number.NaN })],
    ['nothing oversold', ({ flashSales: [sale] }) => Object.assign(sale ?? {}, { sold: 151 })],
    ['nothing oversold', (measured) => Object.assign(measured, { inventoryDifferences: 1 })],
    ['no order and no webhook delivery fails', ({ loads: [one] }) => Object.assign(one ?? {}, { failed: 1 })],
    ['no order and no webhook delivery fails', ({ flood }) => Object.assign(flood, { failed: 1 })],
    ['within 1 s', ({ flood }) => Object.assign(flood, { underOneSecond: 0.999 })],
    ['a million orders', ({ costs }) => Object.assign(costs.unmintedInBatches, { total: 19.51 })],
    ['a million orders', ({ costs }) => Object.assign(costs.mintedInBatches, { total: 28.01 })],
    ['straightforward build', ({ coldStarts: [, order] }) => Object.assign(order ?? {}, { ratio: 0.61 })],
  ])('are reported as missed: %s', (words, worsen) => {
    const measured = createResults();
    worsen(measured);
    expect(findMissed(measured)).toEqual([expect.stringContaining(words)]);
  });

  it('are reported as missed when they were not measured', () => {
    expect(findMissed({ ...createResults(), loads: [], coreShares: [], coldStarts: [] })).toEqual([
      expect.stringContaining('160 orders/s'),
      expect.stringContaining('ten times the orders/s of Vendure'),
      expect.stringContaining('60 % of the floor'),
      expect.stringContaining('within 100 ms'),
      expect.stringContaining('first call'),
      expect.stringContaining('warm p99'),
      expect.stringContaining('straightforward build'),
    ]);
  });

  it('require 160 orders/s, and separately ten times the orders/s of Vendure on the measured machine', () => {
    const measured = createResults();
    Object.assign(measured.loads[1] ?? {}, { ordersPerSecond: 130 });
    Object.assign(measured.loads[2] ?? {}, { ordersPerSecond: 136 });
    expect(findMissed(measured)).toEqual([expect.stringContaining('160 orders/s')]);
    Object.assign(measured.loads[2] ?? {}, { ordersPerSecond: 135 });
    expect(findMissed(measured)).toEqual([
      expect.stringContaining('160 orders/s'),
      expect.stringContaining('130 at 10, 136 at 50'),
    ]);
  });
});
