import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { functionName, functions } from '../../../infra/functions.ts';
import type { DeployedFunction } from '../../../infra/local/lambda/lambda.ts';
import { prices } from '../cost.ts';
import { quantile } from '../load/run-load.ts';
import { type MeteredService, startMeteredService } from '../usage/metered-service.ts';
import { CpuQuota, FunctionProcess } from './function-process.ts';
import { createCertificate, startSlowServer, WaitingTime } from './slow-server.ts';
import { openWorkloads } from './workloads.ts';

/**
 * The times of a function on the share of a core that Lambda allocates for its memory, in milliseconds. Each is the
 * median of the rounds.
 */
export interface CoreShare {
  function: string;
  megabytes: number;
  /** Whether this is the function's configured memory. */
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

/** Needs openssl and Linux control groups that this user can write. */
export async function measureCoreShares(): Promise<CoreShare[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-core-'));
  const certificate = createCertificate(directory);
  const quota = new CpuQuota(`boxoffice-bench-${process.pid}`);
  const service = await startMeteredService();
  const waiting = new WaitingTime();
  const slow = (part: keyof typeof delayMilliseconds) =>
    startSlowServer(service.urls[part], delayMilliseconds[part], waiting, certificate);
  const servers = {
    table: await slow('table'),
    queue: await slow('queue'),
    provider: await slow('provider'),
  };
  try {
    const measured: CoreShare[] = [];
    for (const { functionName: name, prepareEvents } of await openWorkloads(service)) {
      const deployed = withSlowServers(service, name, servers);
      deployed.environment.NODE_EXTRA_CA_CERTS = certificate.file;
      for (const megabytes of memories) {
        const times: Times[] = [];
        for (let round = 0; round < rounds; round++)
          times.push(await runRound(deployed, megabytes, quota, waiting, await prepareEvents(1 + warmCalls)));
        measured.push(summarize(name, megabytes, times));
      }
    }
    return measured;
  } finally {
    for (const server of Object.values(servers)) server.stop();
    await service.stop();
    quota.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns a function's deployment with the addresses of the slow servers. */
function withSlowServers(
  service: MeteredService,
  name: string,
  servers: Record<keyof typeof delayMilliseconds, { url: string }>,
): DeployedFunction {
  const deployment = service.deployments.find((candidate) => candidate.name === name);
  if (!deployment) throw new Error(`There is no function ${name}`);
  const environment = { ...deployment.environment };
  for (const [key, value] of Object.entries(environment)) {
    for (const part of ['table', 'queue', 'provider'] as const) {
      if (value.startsWith(service.urls[part]))
        environment[key] = value.replace(service.urls[part], servers[part].url);
    }
  }
  return { ...deployment, environment };
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

const median = (values: readonly number[]) => quantile(values, 0.5);
