import path from 'node:path';
import { build } from 'esbuild';
import { alias, assets, bundledAssets } from '../../infra/build/assets.ts';
import { type Child, startChild } from '../../infra/local/services/process.ts';
import type { Bug } from '../simulation/bugs.ts';
import { replaceIn } from '../simulation/core/build.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { type Call, type Fault, type FaultProxy, startProxy } from '../support/fault-proxy.ts';

export interface WorldOptions {
  /** Where the bundles and logs are. */
  directory: string;
  /** The addresses of the servers that workers reach through the proxy, beside table and queues. */
  targets: Record<string, string>;
  /** The function timeout. The messages of a killed worker become visible again after six times this timeout. */
  timeoutSeconds?: number;
  /** A deliberate bug to build into the workers. */
  bug?: Bug | undefined;
}

/**
 * A real table and queues, and worker processes. The workers reach their servers only through a fault proxy. `start`
 * also sets this process's environment variables, so that tests which call use cases use the same table and queues.
 */
export class World {
  readonly backend: Backend;
  readonly proxy: FaultProxy;
  readonly logFile: string;
  readonly #directory: string;
  readonly #children = new Map<string, Child>();
  #isStopping = false;

  private constructor(backend: Backend, proxy: FaultProxy, directory: string) {
    this.backend = backend;
    this.proxy = proxy;
    this.#directory = directory;
    this.logFile = path.join(directory, 'workers.log');
  }

  static async start({ directory, targets, timeoutSeconds, bug }: WorldOptions): Promise<World> {
    await buildWorkers(directory, bug);
    const backend = await startBackend({ timeoutSeconds });
    const proxy = await startProxy({
      table: backend.dynamodbUrl,
      queue: new URL(backend.queueUrls['send-mail'] ?? '').origin,
      ...targets,
    });
    return new World(backend, proxy, directory);
  }

  /** Starts a worker process, which is restarted when it is killed. @param pollers loops that poll each queue */
  startWorker(
    name: string,
    queues: readonly string[],
    pollers = 1,
    environment: NodeJS.ProcessEnv = {},
  ): void {
    const polling = { ...this.#toEnvironment(name, queues), POLLERS: String(pollers), ...environment };
    this.#keepRunning(name, 'worker.cjs', polling);
  }

  startSweeper(milliseconds: number): void {
    const AWS_ENDPOINT_URL_DYNAMODB = this.proxy.url('sweeper', 'table');
    const environment = { AWS_ENDPOINT_URL_DYNAMODB, SWEEP_MILLISECONDS: String(milliseconds) };
    this.#keepRunning('sweeper', 'sweeper.cjs', environment);
  }

  /** Runs a worker until its queues are empty or it is killed. @returns its requests */
  async runWorker(
    name: string,
    queues: readonly string[],
    { fault, environment = {} }: { fault?: Fault | undefined; environment?: NodeJS.ProcessEnv },
  ): Promise<Call[]> {
    const calls: Call[] = [];
    const record: Fault = (call, forward) => {
      calls.push(call);
      return forward();
    };
    const removals = [record, ...(fault ? [fault] : [])].map((each) => this.intercept(each));
    const child = this.#start('worker.cjs', {
      ...this.#toEnvironment(name, queues),
      UNTIL_EMPTY: 'true',
      ...environment,
    });
    this.#children.set(name, child);
    await child.ended;
    for (const remove of removals) remove();
    return calls;
  }

  /** Kills a worker with SIGKILL. */
  kill(name: string): void {
    void this.#children.get(name)?.kill();
  }

  /** Adds a fault in front of those added earlier. @returns a function that removes it */
  intercept(fault: Fault): () => void {
    return this.proxy.intercept(fault);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#children.values()].map((child) => child.kill()));
    await this.proxy.stop();
    await this.backend.stop();
  }

  #toEnvironment(name: string, queues: readonly string[]): NodeJS.ProcessEnv {
    return {
      AWS_ENDPOINT_URL_DYNAMODB: this.proxy.url(name, 'table'),
      QUEUES: JSON.stringify(queues.map((queue) => [queue, this.backend.queueUrls[queue]])),
    };
  }

  #start(file: string, environment: NodeJS.ProcessEnv): Child {
    const command = [process.execPath, path.join(this.#directory, file)];
    return startChild(command, { log: this.logFile, env: { ...process.env, ...environment } });
  }

  #keepRunning(name: string, file: string, environment: NodeJS.ProcessEnv): void {
    const child = this.#start(file, environment);
    this.#children.set(name, child);
    void child.ended.then(() => {
      if (!this.#isStopping) this.#keepRunning(name, file, environment);
    });
  }
}

/**
 * Bundles worker and sweeper into one file each, like the deployed functions, so that a killed worker restarts within
 * half a second.
 */
async function buildWorkers(directory: string, bug?: Bug): Promise<void> {
  await build({
    entryPoints: ['worker.ts', 'sweeper.ts'].map((file) => path.join(import.meta.dirname, file)),
    outdir: directory,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    alias,
    plugins: [replaceIn(bug?.replacements ?? []), bundledAssets(assets)],
    logLevel: 'warning',
  });
}
