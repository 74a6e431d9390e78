import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTable, startDynamoDb } from '../../infra/local/services/aws.ts';
import { createBuyers } from './load/buyers.ts';
import { waitUntilFinished } from './load/load.ts';
import { runAll } from './load/run-load.ts';
import { Shop } from './load/shop.ts';
import { startStack } from './load/stack.ts';
import { startMeter } from './usage/meter.ts';

/**
 * `npm run compare -- <commit> [passes] [orders]`: compares the working tree with a commit. Each runs the same orders on
 * its own local stack, one after the other, several times. Processor time is counted by process, and so is hardly
 * disturbed by what else the machine does. Prints each pass, then the medians.
 */

const [commit = 'main', passes = '4', orders = '300'] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, '..', '..');
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const concurrency = 10;
const warmUpOrders = 200;
let tablePort = 0;

const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-compare-'));
const before = path.join(folder, 'before');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'inherit' });
git('worktree', 'add', '--detach', '--quiet', before, commit);
try {
  symlinkSync(path.join(root, 'node_modules'), path.join(before, 'node_modules'));
  const trees = { [commit]: before, 'working tree': root };
  for (const [name, tree] of Object.entries(trees)) build(tree, path.join(folder, name.replace('/', '-')));
  const rows: Row[] = [];
  for (let pass = 1; pass <= Number(passes); pass++) {
    for (const [name, tree] of Object.entries(trees)) {
      rows.push({ name, ...(await measure(tree, path.join(folder, name.replace('/', '-')))) });
      console.log(JSON.stringify(rows.at(-1)));
    }
  }
  console.table(
    Object.keys(trees).map((name) => ({ name, ...medians(rows.filter((row) => row.name === name)) })),
  );
} finally {
  git('worktree', 'remove', '--force', before);
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** What one order takes. Processor times are in milliseconds. */
interface Usage {
  /** The functions, the HTTP front and the queues. */
  service: number;
  table: number;
  requests: number;
  readUnits: number;
  writeUnits: number;
}
type Row = Usage & { name: string };

function build(tree: string, bundles: string): void {
  for (const [script, target] of [
    ['build.ts', 'functions'],
    ['storefront.ts', 'storefront'],
  ] as const) {
    const args = [path.join(tree, 'infra', 'build', script), path.join(bundles, target)];
    execFileSync(process.execPath, args, { cwd: tree, stdio: 'inherit' });
  }
}

/** Pays orders of two tickets at a stack, until their mails are sent. */
async function measure(tree: string, bundles: string): Promise<Usage> {
  const directory = mkdtempSync(path.join(folder, 'stack-'));
  const file = path.join(directory, 'compared.db');
  const table = await startDynamoDb(file, path.join(directory, 'table.log'), tablePort);
  // The client in this process keeps the address of the first table.
  tablePort = Number(new URL(table.url).port);
  await createTable(table.url, 'boxoffice-local', { dropExisting: false });
  const meter = await startMeter({ table: table.url, queue: '' });
  const stack = await startStack(directory, tree, {
    AWS_ENDPOINT_URL_DYNAMODB: meter.tableUrl,
    BOXOFFICE_FUNCTIONS: path.join(bundles, 'functions'),
    BOXOFFICE_STOREFRONT: path.join(bundles, 'storefront'),
  });
  try {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = table.url;
    const shop = await Shop.open(stack, 1_000_000);
    const pay = async (token: string) => {
      const order = await shop.initialize(token, 2);
      const confirmation = await shop.reportPayment(JSON.parse(order.text));
      if (confirmation.status !== 200) throw new Error(`${order.text} ${confirmation.text}`);
    };
    const payAll = async (count: number) => {
      await runAll(await createBuyers(count), concurrency, pay);
      await waitUntilFinished(stack);
    };
    await payAll(warmUpOrders);
    meter.takeCalls();
    const usedBefore = [processorTime(stack.pid), processorTime(findServer(table.url))];
    await payAll(Number(orders));
    const used = [processorTime(stack.pid), processorTime(findServer(table.url))];
    const calls = meter.takeCalls();
    shop.close();
    const perOrder = (total: number) => Number((total / Number(orders)).toFixed(2));
    return {
      service: perOrder((used[0] ?? 0) - (usedBefore[0] ?? 0)),
      table: perOrder((used[1] ?? 0) - (usedBefore[1] ?? 0)),
      requests: perOrder(calls.length),
      readUnits: perOrder(calls.reduce((sum, { readUnits }) => sum + readUnits, 0)),
      writeUnits: perOrder(calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0)),
    };
  } finally {
    await stack.stop();
    meter.stop();
    await table.stop();
  }
}

/** Returns the processor time of a process with all its threads, in milliseconds. */
function processorTime(pid: number): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user + system) * 1_000) / ticksPerSecond;
}

/** Finds the process of the table by the port in its command line. */
function findServer(url: string): number {
  const port = new URL(url).port;
  const pid = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    const [program = '', ...args] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
    return path.basename(program) === 'dynoxide' && args.includes(port);
  });
  if (!pid) throw new Error(`No table listens on port ${port}`);
  return Number(pid);
}

function medians(rows: readonly Usage[]): Usage {
  const median = (name: keyof Usage) => {
    const values = rows.map((row) => row[name]).sort((a, b) => a - b);
    return (
      ((values[Math.floor((values.length - 1) / 2)] ?? 0) + (values[Math.floor(values.length / 2)] ?? 0)) / 2
    );
  };
  const names = ['service', 'table', 'requests', 'readUnits', 'writeUnits'] as const;
  return Object.fromEntries(names.map((name) => [name, median(name)])) as unknown as Usage;
}
