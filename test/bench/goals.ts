import type { Measured } from './main.ts';

export interface Goal {
  goal: string;
  measured: string;
  isReached: boolean;
}

/** Compares each goal of docs/performance.md with the measured values. */
export function evaluateGoals(measured: Measured): Goal[] {
  const { loads, flood, inventoryDifferences, coreShares, costs } = measured;
  const slowestLoad = Math.min(
    ...loads.filter(({ concurrency }) => concurrency >= 10).map((load) => load.ordersPerSecond),
  );
  const webhookP99 = loads.find(({ concurrency }) => concurrency === 10)?.webhookP99 ?? Number.NaN;
  const configured = coreShares.filter(({ isConfigured }) => isConfigured);
  const first = Math.max(...configured.map((share) => share.first - share.waiting));
  const warm = Math.max(...configured.map((share) => share.p99 - share.waiting));
  const failures = [...loads, flood].reduce((sum, { failed }) => sum + failed, 0);
  const costOf = (sale: string) => costs.find((cost) => cost.sale === sale)?.total ?? Number.NaN;
  const [unminted, minted] = [costOf('ten at a time, nothing minted'), costOf('ten at a time, minted')];
  return [
    {
      goal: 'orders/s at concurrency 10 and 50: at least 160',
      measured: slowestLoad.toFixed(0),
      isReached: slowestLoad >= 160,
    },
    {
      goal: 'webhook p99 at concurrency 10: at most 100 ms',
      measured: `${webhookP99.toFixed(0)} ms`,
      isReached: webhookP99 <= 100,
    },
    {
      goal: 'first call besides waiting, on the configured share of a core: at most 100 ms',
      measured: `${first.toFixed(0)} ms`,
      isReached: configured.length > 0 && first <= 100,
    },
    {
      goal: 'warm p99 besides waiting, on the configured share of a core: at most 60 ms',
      measured: `${warm.toFixed(0)} ms`,
      isReached: configured.length > 0 && warm <= 60,
    },
    {
      goal: 'every inventory counter adds up',
      measured: `${inventoryDifferences} differences`,
      isReached: inventoryDifferences === 0,
    },
    { goal: 'no order and no webhook delivery fails', measured: `${failures}`, isReached: failures === 0 },
    {
      goal: 'webhooks of a flood answered within 1 s: all',
      measured: `${(flood.underOneSecond * 100).toFixed(1)} %`,
      isReached: flood.underOneSecond === 1,
    },
    {
      goal: 'a million orders, ten at a time: at most $31, minted $39',
      measured: `$${unminted.toFixed(2)}, $${minted.toFixed(2)}`,
      isReached: unminted <= 31 && minted <= 39,
    },
  ];
}
