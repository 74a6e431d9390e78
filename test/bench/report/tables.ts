import { prices } from '../cost/prices.ts';
import type { Measured } from '../measured.ts';
import type { Usage } from '../usage/usage.ts';
import { goals } from './goals.ts';
import { dollars, number, percent, table } from './table.ts';

/** Formats all results as the Markdown of docs/performance.md. */
export function report(measured: Measured): string {
  const { machine, seconds } = measured;
  const sections = [
    `Measured on ${machine.date.slice(0, 10)} at ${machine.date.slice(11, 16)} UTC: ${machine.cores} cores, shared (${machine.processor}), Node ${machine.node}; load ${number(machine.loadBefore, 1)} before the run, which took ${number(seconds / 60, 1)} minutes.`,
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
  const rows = goals(measured).map(({ goal, measured, reached }) => [
    goal,
    measured,
    reached ? 'reached' : '**missed**',
  ]);
  return table(['goal', 'measured', 'verdict'], rows);
}

function loadTable({ loads }: Measured): string {
  return table(
    [
      'concurrency',
      'orders/s',
      'failed',
      'floor orders/s',
      'of the floor',
      'initialize p50 / p99',
      'webhook p50 / p99',
      'core time per order: service, store',
    ],
    loads.map((load) => [
      `${load.concurrency}`,
      number(load.ordersPerSecond),
      number(load.failed),
      number(load.floorPerSecond),
      percent(load.ofFloor),
      `${number(load.initializeP50)} / ${number(load.initializeP99)} ms`,
      `${number(load.webhookP50)} / ${number(load.webhookP99)} ms`,
      `${number(load.node, 1)}, ${number(load.store, 1)} ms`,
    ]),
  );
}

function flashTable({ flashSales }: Measured): string {
  return table(
    ['shards', 'buyers', 'tickets', 'sold', 'told “Sold out”', 'failed', 'answers/s', 'p50 / p99'],
    flashSales.map((sale) => [
      `${sale.shards}`,
      number(sale.buyers),
      number(sale.tickets),
      number(sale.sold),
      number(sale.refused),
      number(sale.failed),
      number(sale.answersPerSecond),
      `${number(sale.p50)} / ${number(sale.p99)} ms`,
    ]),
  );
}

function floodTable({ flood }: Measured): string {
  return table(
    ['deliveries', 'of these repeated', 'connections', 'per second', 'within 1 s', 'p50 / p99', 'failed'],
    [
      [
        number(flood.deliveries),
        number(flood.repeated),
        `${flood.concurrency}`,
        number(flood.perSecond),
        percent(flood.underOneSecond, 1),
        `${number(flood.p50)} / ${number(flood.p99)} ms`,
        number(flood.failed),
      ],
    ],
  );
}

function coldTable({ coldStarts }: Measured): string {
  return table(
    ['function', 'KB', 'load', 'first call', 'straightforward: KB', 'load', 'first call', 'load, ratio'],
    coldStarts.map((start) => [
      start.function,
      number(start.bytes / 1_000),
      `${number(start.load, 1)} ms`,
      `${number(start.call, 1)} ms`,
      number(start.plainBytes / 1_000),
      `${number(start.plainLoad, 1)} ms`,
      `${number(start.plainCall, 1)} ms`,
      number(start.ratio, 2),
    ]),
  );
}

function coreShareTable({ coreShares }: Measured): string {
  if (!coreShares)
    return 'Skipped: this machine has no control groups that this user can write, or no openssl.\n';
  return table(
    ['function', 'MB', 'init', 'first call', 'warm p50 / p99', 'of it waiting', 'a million calls'],
    coreShares.map((share) => [
      share.function,
      share.isConfigured ? `**${number(share.megabytes)}**` : number(share.megabytes),
      `${number(share.init)} ms`,
      `${number(share.first)} ms`,
      `${number(share.p50)} / ${number(share.p99)} ms`,
      `${number(share.waiting)} ms`,
      dollars(share.million),
    ]),
  );
}

function cacheTable({ compileCaches }: Measured): string {
  return table(
    ['function', 'load without', 'load with', 'saved', 'accepted after moving', 'accepted by another user'],
    compileCaches.map((cache) => [
      cache.function,
      `${number(cache.without, 1)} ms`,
      `${number(cache.with, 1)} ms`,
      percent(1 - cache.with / cache.without),
      yesOrNo(cache.movedAccepted),
      yesOrNo(cache.otherUserAccepted),
    ]),
  );
}

function yesOrNo(answer: boolean | undefined): string {
  return answer === undefined ? 'not tried' : answer ? 'yes' : 'no';
}

function usageTable({ usage }: Measured): string {
  return table(
    ['operation', 'requests to the table', 'read units', 'write units', 'requests to queues'],
    usage.map((use) => [
      use.operation,
      requestsOf(use),
      number(use.readUnits, use.readUnits % 1 ? 1 : 0),
      number(use.writeUnits, use.writeUnits % 1 ? 1 : 0),
      number(use.queueRequests, use.queueRequests % 1 ? 1 : 0),
    ]),
  );
}

/** `2 × GetItem, UpdateItem` */
function requestsOf({ requests }: Usage): string {
  const toTable = requests.filter((request) => !/Message/.test(request));
  const counts = Map.groupBy(toTable, (request) => request);
  return (
    [...counts].map(([name, { length }]) => (length > 1 ? `${length} × ${name}` : name)).join(', ') || '–'
  );
}

function costTable({ costs }: Measured): string {
  const { unminted, minted, unmintedByTens, mintedByTens } = costs;
  const row = (title: string, part: keyof typeof unminted) => [
    title,
    ...[unmintedByTens, mintedByTens, unminted, minted].map((cost) => dollars(cost[part])),
  ];
  return table(
    [
      'for a million orders of 2 tickets',
      'ten at a time, nothing minted',
      'minted',
      'one by one, nothing minted',
      'minted',
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
  return table(
    ['memory', 'a login computes for', 'at once, at 100 logins/s', 'an hour of 100 logins/s'],
    logins.map((login) => [
      `${number(login.memoryMegabytes)} MB`,
      `${number(login.seconds, 2)} s`,
      number(login.atOnce),
      dollars(login.dollarsAnHour),
    ]),
  );
}
