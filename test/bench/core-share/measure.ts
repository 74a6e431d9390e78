import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { functionName, functions } from '../../../infra/functions.ts';
import type { DeployedFunction } from '../../../infra/local/lambda/execution-environment.ts';
import { prices } from '../cost/prices.ts';
import { type MeteredService, startMeteredService } from '../usage/metered-service.ts';
import { createCertificate } from './certificate.ts';
import { CpuQuota } from './cpu-quota.ts';
import { FunctionProcess } from './function-process.ts';
import { type SlowServer, startSlowServer, WaitingTime } from './slow-server.ts';
import { openWorkloads } from './workloads.ts';

/**
 * The times of a function on the share of a core that Lambda allocates for its memory, in milliseconds. Each is the
 * median of the rounds.
 */
export interface CoreShare {
  function: string;
  megabytes: number;
  /** Whether this is the memory in infra/functions.ts. */
  isConfigured: boolean;
  /** The init phase, which is not limited to this share, as on Lambda. */
  init: number;
  first: number;
  p50: number;
  p99: number;
  /** The average time that a warm call waits for the table, the queues and the provider; included in p50 and p99. */
  waiting: number;
  /** The price of a million calls with the duration p50: computing time and invocations. */
  dollarsPerMillion: number;
}

/** Assumed response times: of the table and the queues in the same region, and of a payment provider. */
const delayMilliseconds = { table: 5, queue: 8, provider: 150 };
const memories = [512, 1_024];
const rounds = 4;
const warmCalls = 40;

/** @returns undefined where there are no control groups or no openssl */
export async function measureCoreShares(): Promise<CoreShare[] | undefined> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-core-'));
  const certificate = createCertificate(directory);
  const quota = CpuQuota.create(`boxoffice-bench-${process.pid}`);
  const service = await startMeteredService();
  const waiting = new WaitingTime();
  const servers: SlowServer[] = [];
  const slowDown = async (url: string, delay: number) => {
    if (!certificate) throw new Error('There is no certificate');
    const server = await startSlowServer(url, delay, waiting, certificate);
    servers.push(server);
    return server.url;
  };
  try {
    if (!certificate || !quota) return undefined;
    const urls = {
      table: await slowDown(service.urls.table, delayMilliseconds.table),
      queue: await slowDown(service.urls.queue, delayMilliseconds.queue),
      provider: await slowDown(service.urls.provider, delayMilliseconds.provider),
    };
    const measured: CoreShare[] = [];
    for (const { functionName: name, prepareEvents } of await openWorkloads(service)) {
      for (const megabytes of memories) {
        const times: Times[] = [];
        for (let round = 0; round < rounds; round++) {
          const deployed = withSlowServers(service, name, urls, certificate.file);
          times.push(await runRound(deployed, megabytes, quota, waiting, await prepareEvents(1 + warmCalls)));
        }
        measured.push(summarize(name, megabytes, times));
      }
    }
    return measured;
  } finally {
    for (const server of servers) server.stop();
    await service.stop();
    quota?.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns a function's deployment with the addresses of the slow servers. */
function withSlowServers(
  service: MeteredService,
  name: string,
  urls: Record<keyof typeof delayMilliseconds, string>,
  certificateFile: string,
): DeployedFunction {
  const deployment = service.deployments.find((candidate) => candidate.name === name);
  if (!deployment) throw new Error(`There is no function ${name}`);
  const variables = Object.entries(deployment.environment).map(([key, value]) => {
    const part = (['table', 'queue', 'provider'] as const).find((candidate) =>
      value.startsWith(service.urls[candidate]),
    );
    return [key, part ? value.replace(service.urls[part], urls[part]) : value];
  });
  return {
    ...deployment,
    environment: { ...Object.fromEntries(variables), NODE_EXTRA_CA_CERTS: certificateFile },
  };
}

interface Times {
  init: number;
  first: number;
  warm: number[];
  waiting: number;
}

async function runRound(
  deployed: DeployedFunction,
  megabytes: number,
  quota: CpuQuota,
  waiting: WaitingTime,
  [firstEvent = {}, ...events]: object[],
): Promise<Times> {
  const running = await FunctionProcess.start(deployed);
  try {
    quota.limit(running.pid, megabytes);
    const first = await running.call(firstEvent);
    // Discards the waiting time of the first call.
    waiting.takeTotal();
    const warm: number[] = [];
    for (const event of events) warm.push(await running.call(event));
    return { init: running.init, first, warm, waiting: waiting.takeTotal() / events.length };
  } finally {
    await running.stop();
  }
}

function summarize(name: string, megabytes: number, times: Times[]): CoreShare {
  const p50 = median(times.map(({ warm }) => quantile(warm, 0.5)));
  return {
    function: name,
    megabytes,
    isConfigured: functions.some((row) => functionName(row) === name && row.memoryMegabytes === megabytes),
    init: median(times.map(({ init }) => init)),
    first: median(times.map(({ first }) => first)),
    p50,
    p99: median(times.map(({ warm }) => quantile(warm, 0.99))),
    waiting: median(times.map(({ waiting }) => waiting)),
    dollarsPerMillion: prices.invocation + (p50 / 1_000) * (megabytes / 1_024) * prices.gigabyteSecond,
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

const median = (values: readonly number[]) => quantile(values, 0.5);
