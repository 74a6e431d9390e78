import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { measureColdStarts } from './cold-start.ts';
import { measureCoreShares } from './core-share/measure.ts';
import { loadDoorList } from './load/door-list.ts';
import { floodWebhooks, loadOrders } from './load/load.ts';
import { measureLogins } from './load/logins.ts';
import { visitAsSlowPhone } from './load/slow-phone.ts';
import { startStack } from './load/stack.ts';
import { measureUsage } from './usage/usage.ts';

/** `npm run bench`: measures everything, prints it, and writes it to .local/bench.json. Run nothing else meanwhile. */

const machine = {
  date: new Date().toISOString(),
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim(),
  node: process.versions.node,
  loadBefore: loadavg()[0],
};
const measured = await measure();
const folder = path.resolve(import.meta.dirname, '..', '..', '.local');
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'bench.json'), JSON.stringify({ machine, ...measured }, null, 2));

print('Orders of 2 tickets, each confirmed by a webhook', measured.loads);
print('Webhook flood', [measured.flood]);
print('Logins', measured.logins);
console.log(`${measured.inventoryDifferences} inventory counters differ from the orders`);
print('The list of a door on a slow line', [measured.doorList]);
print('A slow phone on a slow line', [measured.slowPhone]);
print('On Lambda’s share of a core', measured.coreShares);
print('Slowest cold starts', measured.coldStarts.slice(0, 10));
print('Requests and units per order', measured.usage);
print('US dollars for a million orders', measured.costs);
// Connections to stopped services would keep the process alive.
process.exit();

async function measure() {
  const { usage, costs } = await step('requests and units', measureUsage);
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-bench-'));
  const stack = await startStack(directory);
  try {
    return {
      usage,
      costs,
      loads: await step('orders', () => loadOrders(stack, 9)),
      flood: await step('webhook flood', () => floodWebhooks(stack, 10_000)),
      logins: await step('logins', () => measureLogins(stack)),
      inventoryDifferences: (await step('reconciliation', findInventoryDifferences)).length,
      doorList: await step('door list', () => loadDoorList(stack)),
      slowPhone: await step('slow phone', () => visitAsSlowPhone(stack)),
      coldStarts: await step('cold starts', measureColdStarts),
      coreShares: await step('share of a core', measureCoreShares).catch((error): [] => {
        console.error('The share of a core was not measured:', error);
        return [];
      }),
    };
  } finally {
    await stack.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Prints the title and the duration, since a run takes minutes. */
async function step<Result>(title: string, run: () => Promise<Result>): Promise<Result> {
  const startedAt = Date.now();
  const result = await run();
  console.error(`${title}: ${((Date.now() - startedAt) / 1_000).toFixed(0)} s`);
  return result;
}

function print(title: string, rows: readonly object[]): void {
  const round = (value: unknown) => (typeof value === 'number' ? Number(value.toFixed(2)) : value);
  console.log(`\n${title}`);
  console.table(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)]))),
  );
}
