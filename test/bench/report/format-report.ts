import { prices } from '../cost/prices.ts';
import type { Measured } from '../measured.ts';
import type { Usage } from '../usage/usage.ts';
import { evaluateGoals } from './goals.ts';
import { formatDollars, formatNumber, formatPercent, formatTable } from './table.ts';

/** Formats all results as the Markdown of docs/performance.md. */
export function formatReport(measured: Measured): string {
  const { machine, seconds } = measured;
  const sections = [
    `Measured on ${machine.date.slice(0, 10)} at ${machine.date.slice(11, 16)} UTC: ${machine.cores} cores, shared (${machine.processor}), Node ${machine.node}; load ${formatNumber(machine.loadBefore, 1)} before the run, which took ${formatNumber(seconds / 60, 1)} minutes.`,
    section('Goals', goalTable(measured)),
    section('Orders: 2 tickets, then confirmed by a signed webhook', loadTable(measured)),
    section('Flash sale: everybody at once for one tier', flashTable(measured)),
    section('Webhook flood', floodTable(measured)),
    section('Cold start', coldTable(measured)),
    section('On Lambda’s share of a core', coreShareTable(measured)),
    section('Compile cache', cacheTable(measured)),
    section('Requests and units', usageTable(measured)),
    section('Gas', measured.gas),
    section('Cost of a million orders', costTable(measured)),
    section('Logins', loginTable(measured)),
  ];
  return sections.join('\n');
}

function section(title: string, body: string): string {
  return `\n### ${title}\n\n${body.trimEnd()}`;
}

function goalTable(measured: Measured): string {
  const rows = evaluateGoals(measured).map(({ goal, measured, reached }) => [
    goal,
    measured,
    reached ? 'reached' : '**missed**',
  ]);
  return formatTable(['goal', 'measured', 'verdict'], rows);
}

/**
 * Formats the throughput of the local stack and of the floor: a bare loop that makes an order's requests through the SDK's
 * clients.
 */
function loadTable({ loads }: Measured): string {
  return formatTable(
    [
      'concurrency',
      'orders/s',
      'failed',
      'finished orders/s',
      'floor orders/s',
      'share of the floor',
      'fulfilled together',
      'initialize p50 / p99',
      'webhook p50 / p99',
      'core time per order: service, store',
    ],
    loads.map((load) => [
      `${load.concurrency}`,
      formatNumber(load.ordersPerSecond),
      formatNumber(load.failed),
      formatNumber(load.finishedPerSecond),
      formatNumber(load.floorPerSecond),
      formatPercent(load.shareOfFloor),
      formatNumber(load.ordersPerBatch, 1),
      `${formatNumber(load.initializeP50)} / ${formatNumber(load.initializeP99)} ms`,
      `${formatNumber(load.webhookP50)} / ${formatNumber(load.webhookP99)} ms`,
      `${formatNumber(load.nodeMilliseconds, 1)}, ${formatNumber(load.storeMilliseconds, 1)} ms`,
    ]),
  );
}

function flashTable({ flashSales }: Measured): string {
  return formatTable(
    ['shards', 'buyers', 'tickets', 'sold', 'told “Sold out”', 'failed', 'answers/s', 'p50 / p99'],
    flashSales.map((sale) => [
      `${sale.shards}`,
      formatNumber(sale.buyers),
      formatNumber(sale.tickets),
      formatNumber(sale.sold),
      formatNumber(sale.refused),
      formatNumber(sale.failed),
      formatNumber(sale.answersPerSecond),
      `${formatNumber(sale.p50)} / ${formatNumber(sale.p99)} ms`,
    ]),
  );
}

function floodTable({ flood }: Measured): string {
  return formatTable(
    ['deliveries', 'of these repeated', 'connections', 'per second', 'within 1 s', 'p50 / p99', 'failed'],
    [
      [
        formatNumber(flood.deliveries),
        formatNumber(flood.repeated),
        `${flood.concurrency}`,
        formatNumber(flood.perSecond),
        formatPercent(flood.underOneSecond, 1),
        `${formatNumber(flood.p50)} / ${formatNumber(flood.p99)} ms`,
        formatNumber(flood.failed),
      ],
    ],
  );
}

/** Formats the cold starts beside those of the straightforward build, which lacks the optimizations of infra/build. */
function coldTable({ coldStarts }: Measured): string {
  return formatTable(
    [
      'function',
      'KB',
      'load',
      'first call',
      'straightforward build: KB',
      'straightforward build: load',
      'straightforward build: first call',
      'ratio of the loads',
    ],
    coldStarts.map((start) => [
      start.function,
      formatNumber(start.bytes / 1_000),
      `${formatNumber(start.load, 1)} ms`,
      `${formatNumber(start.call, 1)} ms`,
      formatNumber(start.baselineBytes / 1_000),
      `${formatNumber(start.baselineLoad, 1)} ms`,
      `${formatNumber(start.baselineCall, 1)} ms`,
      formatNumber(start.ratio, 2),
    ]),
  );
}

function coreShareTable({ coreShares }: Measured): string {
  if (!coreShares)
    return 'Skipped: this machine has no control groups that this user can write, or no openssl.\n';
  return formatTable(
    ['function', 'MB', 'init', 'first call', 'warm p50 / p99', 'of which waiting', 'a million calls'],
    coreShares.map((share) => [
      share.function,
      share.isConfigured ? `**${formatNumber(share.megabytes)}**` : formatNumber(share.megabytes),
      `${formatNumber(share.init)} ms`,
      `${formatNumber(share.first)} ms`,
      `${formatNumber(share.p50)} / ${formatNumber(share.p99)} ms`,
      `${formatNumber(share.waiting)} ms`,
      formatDollars(share.dollarsPerMillion),
    ]),
  );
}

function cacheTable({ compileCaches }: Measured): string {
  return formatTable(
    ['function', 'load without', 'load with', 'saved', 'accepted after moving', 'accepted by another user'],
    compileCaches.map((cache) => [
      cache.function,
      `${formatNumber(cache.withoutCache, 1)} ms`,
      `${formatNumber(cache.withCache, 1)} ms`,
      formatPercent(1 - cache.withCache / cache.withoutCache),
      yesOrNo(cache.isAcceptedInCopy),
      yesOrNo(cache.isAcceptedByOtherUser),
    ]),
  );
}

function yesOrNo(answer: boolean | undefined): string {
  return answer === undefined ? 'not tried' : answer ? 'yes' : 'no';
}

function usageTable({ usage }: Measured): string {
  return formatTable(
    ['operation', 'requests to the table', 'read units', 'write units', 'requests to queues'],
    usage.map((use) => [
      use.operation,
      formatRequests(use),
      formatNumber(use.readUnits, use.readUnits % 1 ? 1 : 0),
      formatNumber(use.writeUnits, use.writeUnits % 1 ? 1 : 0),
      formatNumber(use.queueRequests, use.queueRequests % 1 ? 1 : 0),
    ]),
  );
}

/** Formats the requests to the table: `2 × GetItem, UpdateItem`. */
function formatRequests({ requests }: Usage): string {
  const tableRequests = requests.filter((request) => !/Message/.test(request));
  const counts = Map.groupBy(tableRequests, (request) => request);
  return (
    [...counts].map(([name, { length }]) => (length > 1 ? `${length} × ${name}` : name)).join(', ') || '–'
  );
}

function costTable({ costs }: Measured): string {
  const { unminted, minted, unmintedInBatches, mintedInBatches } = costs;
  const row = (title: string, part: keyof typeof unminted) => [
    title,
    ...[unmintedInBatches, mintedInBatches, unminted, minted].map((cost) => formatDollars(cost[part])),
  ];
  return formatTable(
    [
      'for a million orders of 2 tickets',
      'ten orders at a time, nothing minted',
      'ten orders at a time, minted',
      'one by one, nothing minted',
      'one by one, minted',
    ],
    [
      row(`write units, at $${prices.writeUnit} a million`, 'writes'),
      row(`read units, at $${prices.readUnit} a million`, 'reads'),
      row(`HTTP API, at $${prices.httpRequest} a million`, 'httpApi'),
      row(`calls of functions, at $${prices.invocation} a million`, 'invocations'),
      row('their time, at $0.0000133334 a GB-second', 'computing'),
      row(`queues, at $${prices.queueRequest} a million`, 'queues'),
      row(`traces of one call in twenty, at $${prices.trace} a million`, 'traces'),
      row('**together**', 'total'),
    ],
  );
}

function loginTable({ logins }: Measured): string {
  return formatTable(
    [
      'memory',
      'computing time of a login',
      'concurrent executions at 100 logins/s',
      'cost per hour at 100 logins/s',
    ],
    logins.map((login) => [
      `${formatNumber(login.memoryMegabytes)} MB`,
      `${formatNumber(login.seconds, 2)} s`,
      formatNumber(login.concurrency),
      formatDollars(login.dollarsPerHour),
    ]),
  );
}
