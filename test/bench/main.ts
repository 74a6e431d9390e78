import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { measureCompileCache } from './cold-start/compile-cache.ts';
import { measureColdStarts } from './cold-start/measure.ts';
import { measureCoreShares } from './core-share/measure.ts';
import { loginCosts, measurePassword } from './cost/login-cost.ts';
import { flashSale } from './load/flash-sale.ts';
import { loadOrders } from './load/order-load.ts';
import { settled } from './load/settled.ts';
import { type Stack, startStack } from './load/stack.ts';
import { floodWebhooks } from './load/webhook-flood.ts';
import { describeMachine } from './machine.ts';
import type { Measured } from './measured.ts';
import { report } from './report/tables.ts';
import { measureUsage } from './usage/measure.ts';

/**
 * `npm run bench`: measures everything, prints it, and writes it to .local/bench.json and .local/bench.md. With
 * `-- --document` also to docs/performance.md. Run nothing else on the machine.
 */

const root = path.resolve(import.meta.dirname, '..', '..');
const document = path.join(root, 'docs', 'performance.md');
const block = /(?<=<!-- bench -->\n).*?(?=<!-- end of bench -->)/s;

const turnSeconds = 3;
const flashBuyers = 1_500;
const floodDeliveries = 10_000;
const compileCacheRounds = 21;

const machine = describeMachine();
const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-bench-'));
try {
  const measured = await measure();
  const text = report(measured);
  console.log(text);
  mkdirSync(path.join(root, '.local'), { recursive: true });
  writeFileSync(path.join(root, '.local', 'bench.json'), `${JSON.stringify(measured, null, 2)}\n`);
  writeFileSync(path.join(root, '.local', 'bench.md'), text);
  if (process.argv.includes('--document')) {
    writeFileSync(
      document,
      readFileSync(document, 'utf8').replace(block, () => `${text}\n`),
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
// Clients keep connections to ended parts, which would keep the process alive.
process.exit();

async function measure(): Promise<Measured> {
  // These count, so they may share the machine.
  const [counted, gas] = await step('requests, units, gas', () => Promise.all([measureUsage(), gasTable()]));

  const logins = loginCosts(await step('password', measurePassword));

  const underLoad = await withStack({}, async (stack) => {
    const loads = await step('orders', () => loadOrders(stack, turnSeconds));
    const flood = await step('webhook flood', () => floodWebhooks(stack, floodDeliveries));
    await settled(stack);
    const coldStarts = await step('cold starts', () => measureColdStarts(stack));
    return { loads, flood, coldStarts };
  });
  const coreShares = await step('share of a core', measureCoreShares);
  const compileCaches = await step('compile cache', measureCompileCaches);
  const flashSales = [await sellWithShards(1), await sellWithShards(16)];
  const stockDifferences = await withStack({}, () => step('audit', countDifferences));
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
    stockDifferences,
    seconds,
  };
}

/** Prints the progress, since a run takes minutes. */
async function step<Result>(title: string, run: () => Promise<Result>): Promise<Result> {
  const begun = Date.now();
  process.stderr.write(`${title} … `);
  const result = await run();
  process.stderr.write(`${((Date.now() - begun) / 1_000).toFixed(0)} s\n`);
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

function sellWithShards(shards: number) {
  const shardSize = Math.ceil(flashBuyers / 10 / shards);
  return withStack({ STOCK_SHARD_SIZE: `${shardSize}` }, (stack) =>
    step(`flash sale, shards: ${shards}`, () => flashSale(stack, flashBuyers, shards)),
  );
}

async function measureCompileCaches() {
  const measured = [];
  for (const name of ['webhooks-gateway-a', 'orders-initialize-order', 'workers-mint-tickets'])
    measured.push(await measureCompileCache(name, compileCacheRounds));
  return measured;
}

/** Reads every item of the table. Imported late, since a client keeps the address that it is created with. */
async function countDifferences(): Promise<number> {
  const { auditInventory } = await import('../../infra/operator/stock-audit.ts');
  return (await auditInventory()).length;
}

/** Runs the command that prints the table and writes it to docs/contract.md. */
async function gasTable(): Promise<string> {
  const command = path.join(root, 'test', 'contracts', 'gas-report.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [command]);
  return stdout.slice(stdout.indexOf('|')).trimEnd().concat('\n');
}
