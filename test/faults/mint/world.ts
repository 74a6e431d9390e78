import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { deployTicketContract } from '../../../infra/contracts/deploy-ticket-contract.ts';
import { functions } from '../../../infra/functions.ts';
import {
  createTable,
  credentials,
  region,
  startDynamoDb,
  startSqs,
} from '../../../infra/local/services/aws.ts';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { type Child, freePort, startChild } from '../../../infra/local/services/process.ts';
import { queueUrlVariable } from '../../../shared/runtime/config.ts';
import type { Bug } from '../../simulation/bugs.ts';
import { replaceIn } from '../../simulation/core/build.ts';
import { type Fault, type FaultProxy, startProxy } from '../../support/fault-proxy.ts';
import { type Node, startNode } from './node.ts';

/** The function timeout. The messages of a killed worker become visible again after six times this timeout. */
const timeoutSeconds = 5;
const blocksPerSecond = 4;

/** The same for all worlds of a process, since the SDK's clients keep the first addresses they use. */
const ports = { table: freePort(), queues: freePort() };

export interface WorldOptions {
  /** The number of minting accounts. Each has its own sequence of nonces. */
  minterCount?: number;
  /** The names of the nodes that the workers use. All serve the same chain. */
  nodes?: readonly string[];
  /** How long a mint may wait for a block before it is sent again with a higher fee. */
  bumpSeconds?: number;
  /** Milliseconds between two sweeps. With each sweep, the sweeper's clock advances by one minute. */
  sweepMilliseconds?: number;
  /** A deliberate bug to build into the workers. */
  bug?: Bug | undefined;
}

/**
 * A real table, queues and chain, and worker processes that mint paid orders. The workers reach the table and the chain
 * only through a fault proxy. `start` also sets this process's environment variables, so that the stores that a test
 * calls directly use the same table and queues.
 */
export class World {
  readonly node: Node;
  readonly proxy: FaultProxy;
  readonly minters: string[];
  readonly contract: string;
  readonly queueUrls: Record<string, string>;
  readonly logFile: string;
  /** The names of the killed workers. */
  readonly kills: string[] = [];
  readonly #children = new Map<string, Child>();
  readonly #stops: (() => unknown)[];
  readonly #environment: Record<string, string>;
  readonly #directory: string;
  readonly #nodes: readonly string[];
  #isStopping = false;

  private constructor(parts: {
    node: Node;
    proxy: FaultProxy;
    minters: string[];
    contract: string;
    queueUrls: Record<string, string>;
    environment: Record<string, string>;
    directory: string;
    nodes: readonly string[];
    stops: (() => unknown)[];
  }) {
    this.node = parts.node;
    this.proxy = parts.proxy;
    this.minters = parts.minters;
    this.contract = parts.contract;
    this.queueUrls = parts.queueUrls;
    this.logFile = path.join(parts.directory, 'workers.log');
    this.#environment = parts.environment;
    this.#directory = parts.directory;
    this.#nodes = parts.nodes;
    this.#stops = parts.stops;
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const { minterCount = 1, nodes = ['a'], bumpSeconds = 2, sweepMilliseconds = 3000 } = options;
    const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-mint-'));
    const stops: (() => unknown)[] = [() => rmSync(directory, { recursive: true, force: true })];
    await buildWorkers(directory, options.bug);

    const log = path.join(directory, 'services.log');
    const file = path.join(directory, 'table.db');
    const dynamodb = await startDynamoDb(file, log, await ports.table);
    stops.push(() => dynamodb.stop());
    await createTable(dynamodb.url, 'boxoffice', { dropExisting: true });

    const sqs = await startSqs(
      functions.map((row) => ({ ...row, timeoutSeconds })),
      await ports.queues,
    );
    stops.push(() => {
      sqs.server.closeAllConnections();
      sqs.server.close();
    });

    const node = await startNode(await freePort(), log);
    stops.push(() => node.stop());
    node.setBlocksPerSecond(blocksPerSecond);
    const wallets = Array.from({ length: minterCount }, (_, index) => developmentWallet(index + 1));
    const minters = wallets.map(({ address }) => address);
    const contract = await deployTicketContract({
      rpcUrl: node.url,
      deployerKey: developmentWallet(0).privateKey,
      name: 'Drill',
      symbol: 'DRL',
      minters,
    });

    const targets = Object.fromEntries(nodes.map((name) => [name, node.url]));
    const proxy = await startProxy({ table: dynamodb.url, ...targets });
    stops.push(() => proxy.stop());

    const environment = {
      TABLE_NAME: 'boxoffice',
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      ...Object.fromEntries(
        functions
          .flatMap(({ sends = [] }) => sends)
          .map((name) => [queueUrlVariable(name), sqs.queueUrls[name] ?? '']),
      ),
      STAGE: 'drill',
      MINTER_PRIVATE_KEY: wallets.map(({ privateKey }) => privateKey).join(','),
      MINT_BUMP_SECONDS: String(bumpSeconds),
      SWEEP_MILLISECONDS: String(sweepMilliseconds),
    };
    Object.assign(process.env, environment);
    const queueUrls = sqs.queueUrls;
    return new World({ node, proxy, minters, contract, queueUrls, environment, directory, nodes, stops });
  }

  /** Starts a worker process, which is restarted when it is killed. @param pollers loops that poll the mint queue */
  startWorker(name: string, pollers = 1): void {
    const rpcUrls = this.#nodes.map((node) => this.proxy.url(name, node)).join(',');
    this.#spawn(name, 'worker.cjs', {
      AWS_ENDPOINT_URL_DYNAMODB: this.proxy.url(name, 'table'),
      [`CHAIN_${this.node.chainId}_RPC_URLS`]: rpcUrls,
      POLLERS: String(pollers),
    });
  }

  startSweeper(): void {
    this.#spawn('sweeper', 'sweeper.cjs', { AWS_ENDPOINT_URL_DYNAMODB: this.proxy.url('sweeper', 'table') });
  }

  /** Kills a worker with SIGKILL. */
  kill(name: string): void {
    this.kills.push(name);
    void this.#children.get(name)?.kill();
  }

  /** Adds a fault in front of those added earlier. @returns a function that removes it */
  intercept(fault: Fault): () => void {
    return this.proxy.intercept(fault);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#children.values()].map((child) => child.kill()));
    for (let next = this.#stops.pop(); next; next = this.#stops.pop()) await next();
  }

  #spawn(name: string, file: string, environment: Record<string, string>): void {
    const child = startChild([process.execPath, path.join(this.#directory, file)], {
      log: this.logFile,
      env: { PATH: process.env.PATH, ...this.#environment, ...environment },
    });
    this.#children.set(name, child);
    void child.ended.then(() => {
      if (!this.#isStopping) this.#spawn(name, file, environment);
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
    plugins: [replaceIn(bug ? [bug, ...(bug.also ? [bug.also] : [])] : [])],
    logLevel: 'warning',
  });
}
