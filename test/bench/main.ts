import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { auditInventory } from '../../infra/ops/reconcile-inventory.ts';
import { measureCompileCache } from './cold-start/compile-cache.ts';
import { measureColdStarts } from './cold-start/measure.ts';
import { measureCoreShares } from './core-share/measure.ts';
import { loginCosts, measurePasswordCheck } from './cost/login-cost.ts';
import { runFlashSale } from './load/flash-sale.ts';
import { loadOrders } from './load/order-load.ts';
import { type Stack, startStack } from './load/stack.ts';
import { waitUntilIdle } from './load/wait-until-idle.ts';
import { floodWebhooks } from './load/webhook-flood.ts';
import { describeMachine } from './machine.ts';
import type { Measured } from './measured.ts';
import { formatReport } from './report/format-report.ts';
import { measureUsage } from './usage/measure.ts';

/**
 * `npm run bench`: measures everything, prints it, and writes it to .local/bench.json and .local/bench.md, and with
 * `-- --document` to docs/performance.md too. Run nothing else on the machine.
 */

const root = path.resolve(import.meta.dirname, '..', '..');
const documentFile = path.join(root, 'docs', 'performance.md');
const resultsBlock = /(?<=<!-- bench -->\n).*?(?=<!-- end of bench -->)/s;

const loadRunSeconds = 3;
const flashBuyers = 1_500;
const floodDeliveries = 10_000;
const compileCacheRounds = 21;

const machine = describeMachine();
const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-bench-'));
try {
  const measured = await measure();
  const text = formatReport(measured);
  console.log(text);
  mkdirSync(path.join(root, '.local'), { recursive: true });
  writeFileSync(path.join(root, '.local', 'bench.json'), `${JSON.stringify(measured, null, 2)}\n`);
  writeFileSync(path.join(root, '.local', 'bench.md'), text);
  if (process.argv.includes('--document')) {
    writeFileSync(
      documentFile,
      readFileSync(documentFile, 'utf8').replace(resultsBlock, () => `${text}\n`),
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
// Connections to stopped services would keep the process alive.
process.exit();

async function measure(): Promise<Measured> {
  // These count requests and gas, whose numbers do not depend on the load of the machine.
  const [counted, gas] = await step('requests, units, gas', () =>
    Promise.all([measureUsage(), measureGas()]),
  );

  const logins = loginCosts(await step('password', measurePasswordCheck));

  const underLoad = await withStack({}, async (stack) => {
    const loads = await step('orders', () => loadOrders(stack, loadRunSeconds));
    const flood = await step('webhook flood', () => floodWebhooks(stack, floodDeliveries));
    await waitUntilIdle(stack);
    const coldStarts = await step('cold starts', () => measureColdStarts(stack));
    return { loads, flood, coldStarts };
  });
  const coreShares = await step('share of a core', measureCoreShares);
  const compileCaches = await step('compile cache', measureCompileCaches);
  const flashSales = [await runFlashSaleWithShards(1), await runFlashSaleWithShards(16)];
  // All stacks use the same folder, so the audit sees the orders of all measurements.
  const inventoryDifferences = await withStack({}, () => step('audit', countInventoryDifferences));
  const seconds = (Date.now() - Date.parse(machine.date)) / 1_000;
  return {
    machine,
    ...counted,
    gas,
    logins,
    ...underLoad,
    coreShares,
    compileCaches,
    flashSales,
    inventoryDifferences,
    seconds,
  };
}

/** Prints the title and the duration, since a run takes minutes. */
async function step<Result>(title: string, run: () => Promise<Result>): Promise<Result> {
  const startedAt = Date.now();
  process.stderr.write(`${title} … `);
  const result = await run();
  process.stderr.write(`${((Date.now() - startedAt) / 1_000).toFixed(0)} s\n`);
  return result;
}

async function withStack<Result>(
  env: Record<string, string>,
  run: (stack: Stack) => Promise<Result>,
): Promise<Result> {
  const stack = await startStack(directory, env);
  try {
    return await run(stack);
  } finally {
    await stack.stop();
  }
}

/** Runs a flash sale with one ticket for every ten buyers. The tickets are divided among `shards` shards. */
function runFlashSaleWithShards(shards: number) {
  const shardSize = Math.ceil(flashBuyers / 10 / shards);
  return withStack({ STOCK_SHARD_SIZE: `${shardSize}` }, (stack) =>
    step(`flash sale, shards: ${shards}`, () => runFlashSale(stack, flashBuyers, shards)),
  );
}

async function measureCompileCaches() {
  const measured = [];
  for (const name of ['webhooks-gateway-a', 'orders-initialize-order', 'workers-mint-tickets'])
    measured.push(await measureCompileCache(name, compileCacheRounds));
  return measured;
}

async function countInventoryDifferences(): Promise<number> {
  return (await auditInventory()).length;
}

/** Runs `npm run gas`, which also writes the table to docs/contract.md. @returns the table */
async function measureGas(): Promise<string> {
  const command = path.join(root, 'test', 'contracts', 'gas-report.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [command]);
  return stdout.slice(stdout.indexOf('|')).trimEnd().concat('\n');
}
