import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { keys } from '../../../shared/dynamo/keys.ts';
import { Chain, chainId, ticketContract, treasury } from '../parts/chain.ts';
import { Environments, type InstantiateService, type InvocationResult } from '../parts/environments.ts';
import { type GatewayName, Providers } from '../parts/providers.ts';
import { Queues, type QueueWorker } from '../parts/queues.ts';
import { Receivers } from '../parts/receivers.ts';
import type { Change, IndexEntry, Table } from '../parts/table.ts';
import type { Instantiate } from './build.ts';
import { useKernel } from './globals.ts';
import { type Cause, currentCause, Kernel, runAs } from './kernel.ts';
import { useServers } from './network.ts';
import { Random } from './random.ts';
import { noFaults, type Rates } from './rates.ts';

const { unmarshall } = createRequire(import.meta.url)('@aws-sdk/util-dynamodb');

/** What all histories of a process share: the compiled service, and what its functions declare. */
export interface Program {
  service: InstantiateService;
  // biome-ignore lint/suspicious/noExplicitAny: see parts/providers.ts
  providers: Instantiate<any>;
  definitions: Map<string, Definition>;
  /** The keys of items, as the compiled service has them. */
  keys: typeof keys;
}

interface Definition {
  route?: string;
  queue?: string;
  batchSize?: number;
  timeoutSeconds?: number;
}

/** A stored item in JavaScript values. */
// biome-ignore lint/suspicious/noExplicitAny: items differ by their kind
export type Item = Record<string, any>;

export interface Answer {
  /** 0 when the answer was lost. */
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ by the endpoint
  body: any;
  code: string | undefined;
  cookies: string[];
  /** The invocation; undefined when no function was called. */
  cause: Cause | undefined;
}

export interface Person {
  name: string;
  email: string;
  password: string;
  id: string;
  token: string;
  wallet: string | undefined;
}

export interface CallOptions {
  as?: Person | undefined;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  rawBody?: string;
  headers?: Record<string, string>;
  key?: string;
}

/** A property that does not hold. The first line names the invariant. */
export class Violation extends Error {}

const minuteMilliseconds = 60_000;

/** One history: the service with all that it talks to. */
export class Simulation {
  readonly seed: string;
  readonly kernel: Kernel;
  readonly table: Table;
  readonly environments: Environments;
  readonly queues: Queues;
  readonly providers: Providers;
  readonly chain: Chain;
  readonly receivers: Receivers;
  readonly random: Random;
  readonly #program: Program;
  readonly #routes = new Map<string, string>();
  readonly mails: { to: string; raw: string; at: number; isDoubtful: boolean }[] = [];
  /** What happened, for the reader. */
  readonly story: string[] = [];
  readonly #trace = createHash('sha256');
  /** Shows every request. */
  traceTo: ((line: string) => void) | undefined;
  rates: Rates;
  readonly start: number;
  /** The number of requests that the service has sent. */
  requests = 0;
  /** Called after every invocation. */
  onStep: (name: string, result: InvocationResult) => void = () => {};
  /** Gets what a write has changed at once. */
  onCommit: (changes: Change<Item>[]) => void = () => {};
  onAnswer: (answer: Answer, route: string, options: CallOptions) => void = () => {};
  /** The first violation: the history ends there. */
  violation: Violation | undefined;
  readonly #unmarshalled = new WeakMap<object, Item>();
  /** The items of each kind as they were read last. */
  readonly #read = new Map<string, { version: number; items: Item[] }>();
  #isSweeping = false;

  constructor(options: {
    seed: string;
    program: Program;
    table: Table;
    start: number;
    rates: Rates;
    settings?: Record<string, string>;
    liar?: boolean;
  }) {
    const { seed, program, table, start, rates } = options;
    this.seed = seed;
    this.start = start;
    this.rates = rates;
    this.#program = program;
    this.kernel = new Kernel(start);
    this.random = new Random(seed);
    useKernel(this.kernel, this.random.child('fallback'));
    this.table = table;
    const lag = this.random.child('lag');
    table.now = () => this.kernel.now;
    table.lag = () => (lag.chance(this.rates.indexLag) ? lag.below(3_000) : 0);
    const tell = (text: string) => this.tell(`    ${text}`);
    const shared = { kernel: this.kernel, seed, rates, tell };
    const variables = { ...configuration, ...options.settings };
    const workers = new Map<string, QueueWorker>();
    for (const [functionName, { route, queue, batchSize = 1, timeoutSeconds = 10 }] of program.definitions) {
      if (queue) workers.set(queue, { functionName, batchSize, timeoutSeconds });
      if (route) this.#routes.set(route, functionName);
    }
    for (const queue of workers.keys()) {
      variables[`${queue.toUpperCase().replaceAll('-', '_')}_QUEUE_URL`] = `https://sqs.test/${queue}`;
    }
    this.environments = new Environments({ ...shared, instantiate: program.service, variables });
    this.queues = new Queues({ ...shared, workers, invoke: (...given) => this.#invokeWorker(...given) });
    this.providers = new Providers({
      ...shared,
      instantiate: program.providers,
      configuration: variables,
      post: (...given) => this.#postWebhook(...given),
    });
    this.chain = new Chain({ ...shared, start, liar: options.liar ?? false });
    this.receivers = new Receivers(shared);
    const read = (attributes: object | undefined) => attributes && this.#toItem(attributes);
    table.onCommit = (changes) =>
      this.onCommit(
        changes.map(({ kind, before, after }) => ({ kind, before: read(before), after: read(after) })),
      );
    useServers({
      kernel: this.kernel,
      rates,
      table,
      send: (queue, message) => {
        // While one tenant has a backlog, SQS delivers the messages of the others first. Reports and checks have none.
        const isShared = /"type":"(settle-payout|receive-return|check-nonce)"/.test(message.body);
        if (!message.tenant && !isShared)
          this.violate('a message names its tenant', `${queue} ${message.body}`);
        return this.queues.send(queue, message, currentCauseOrThis(this.random));
      },
      mail: (to, raw) => this.mails.push({ to, raw, at: this.kernel.now, isDoubtful: false }),
      fetch: (url, init) => this.#fetch(new URL(url), init),
      receive: (request) => this.receivers.receive(request),
      resolve: (name) => this.receivers.resolve(name),
      trace: (text) => this.#traceLine(text),
      tell,
    });
  }

  /** Adds a line to what the reader of a failure sees. */
  tell(text: string): void {
    const seconds = ((this.kernel.now - this.start) / 1000).toFixed(2).padStart(10);
    this.story.push(`${seconds}  ${text}`);
    this.#traceLine(text);
  }

  #traceLine(text: string): void {
    const line = `${this.kernel.now} ${text}\n`;
    this.#trace.update(line);
    this.traceTo?.(line.trimEnd());
  }

  /** Identifies everything that happened. Call it once, at the end. */
  digest(): string {
    return this.#trace.digest('hex');
  }

  violate(invariant: string, details: string): void {
    if (this.violation) return;
    this.violation = new Violation(`${invariant}\n${details}`);
    this.tell(`!!! ${invariant}: ${details}`);
  }

  /** All items of a kind: those with this sort key, or with sort keys that begin so, such as `SEAT#`. */
  all(kind: string): readonly Item[] {
    const { items, version } = this.table.kind(kind);
    let read = this.#read.get(kind);
    if (read?.version !== version) {
      read = { version, items: Array.from(items.values(), (item) => this.#toItem(item)) };
      this.#read.set(kind, read);
    }
    return read.items;
  }

  #toItem(attributes: object): Item {
    const known = this.#unmarshalled.get(attributes);
    if (known) return known;
    const item = unmarshall(attributes, { wrapNumbers }) as Item;
    this.#unmarshalled.set(attributes, item);
    return item;
  }

  /** Calls the API. */
  async call(route: string, options: CallOptions = {}): Promise<Answer> {
    const functionName = this.#routes.get(route);
    if (!functionName) throw new Error(`There is no route ${route}`);
    const { as, params = {}, body, key } = options;
    const [method = '', template = ''] = route.split(' ');
    const path = template.replaceAll(/{(\w+)}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const caller = currentCauseOrThis(this.random);
    const causeName = `${caller.name}.${++caller.requests} ${route}`;
    const query = new URLSearchParams(options.query ?? {}).toString();
    const event = {
      version: '2.0',
      routeKey: route,
      rawPath: path,
      rawQueryString: query,
      ...(query && { queryStringParameters: options.query }),
      headers: {
        ...(as && { authorization: as.token.startsWith('Order ') ? as.token : `Bearer ${as.token}` }),
        'content-type': 'application/json',
        ...(key && { 'idempotency-key': key }),
        ...options.headers,
      },
      pathParameters: params,
      body: options.rawBody ?? (body && JSON.stringify(body)),
      isBase64Encoded: false,
      requestContext: {
        requestId: causeName,
        routeKey: route,
        http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'simulation' },
      },
    };
    // The way to the service and back, on which an answer may be lost.
    const network = new Random(`${this.seed}/${causeName}/network`);
    await this.kernel.sleep(1 + network.below(20));
    const result = await this.invoke(functionName, event, causeName);
    const isLost = network.chance(this.rates.lostAnswer);
    await this.kernel.sleep(1 + network.below(20));
    const answer = toAnswer(result, isLost);
    if (!isLost) this.onAnswer(answer, route, options);
    return answer;
  }

  async invoke(functionName: string, event: object, causeName: string): Promise<InvocationResult> {
    const definition = this.#program.definitions.get(functionName);
    const result = await this.environments.invoke(
      functionName,
      event,
      this.kernel.uniqueName(causeName),
      definition?.timeoutSeconds ?? 10,
    );
    this.requests += result.cause.requests;
    this.onStep(functionName, result);
    return result;
  }

  async #invokeWorker(functionName: string, event: object, causeName: string) {
    const result = await this.invoke(functionName, event, causeName);
    if ('failure' in result) return 'all';
    const { batchItemFailures } = result.value as { batchItemFailures: { itemIdentifier: string }[] };
    return new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  }

  async #postWebhook(gateway: GatewayName, rawBody: string, headers: object, causeName: string) {
    const cause = newCause(causeName, this.seed);
    const { status } = await runAs(cause, () =>
      this.call(`POST /api/webhooks/${gateway}`, { rawBody, headers: headers as Record<string, string> }),
    );
    const about =
      /"(?:reference|tx_ref|client_reference_id|payment_intent)":"([^"]+)"/.exec(rawBody)?.[1] ?? '';
    const kind = /"(?:event|type)":"([^"]+)"/.exec(rawBody)?.[1] ?? '';
    this.tell(`${causeName} ${kind} ${about} → ${status || 'answer lost'}`);
    return status;
  }

  #fetch(url: URL, init: RequestInit) {
    const node = /^node-(\d)/.exec(url.host)?.[1];
    return node
      ? this.chain.call(Number(node), JSON.parse(String(init.body)))
      : this.providers.fetch(url, init);
  }

  /** Starts what happens each minute: the sweep, and TTL's deletions. */
  startSweeps(): void {
    const random = this.random.child('sweeps');
    const sweepEach = (minute: number) =>
      this.kernel.at(this.start + minute * minuteMilliseconds, () => {
        sweepEach(minute + 1);
        // A list on which people wait is due each minute. Sweeps for nothing else were a third of all requests.
        if (!this.isAnythingDue(({ key }) => minute % 5 === 0 || key.sk?.S !== 'OFFERS')) return;
        void this.sweep(`sweep ${minute}`);
        if (random.chance(this.rates.double)) void this.sweep(`sweep ${minute} again`);
        if (minute % 30 === 0) this.table.expire(() => random.chance(0.5));
      });
    sweepEach(1);
  }

  async sweep(causeName: string): Promise<void> {
    if (this.#isSweeping && !causeName.includes('again')) return;
    this.#isSweeping = true;
    const result = await this.invoke('workers/sweep', {}, causeName);
    this.#isSweeping = false;
    this.tell(`${causeName} → ${'failure' in result ? result.failure : JSON.stringify(result.value)}`);
  }

  /** Whether a sweep would find something that counts: what is due now, or within its look-ahead. */
  isAnythingDue(counts: (entry: IndexEntry) => boolean): boolean {
    const limit = new Date(this.kernel.now + 2 * minuteMilliseconds).toISOString();
    for (const entry of this.table.index('byDue').values())
      if (entry.sort <= limit && counts(entry)) return true;
    return false;
  }

  /** Ends all faults. */
  endFaults(): void {
    Object.assign(this.rates, noFaults);
  }

  get keys(): Program['keys'] {
    return this.#program.keys;
  }

  get isQuiet(): boolean {
    return this.queues.isEmpty && this.providers.open === 0 && this.environments.isIdle && this.chain.isIdle;
  }
}

const wrapNumbers = (text: string) => {
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
};

export function newCause(name: string, seed: string): Cause {
  return {
    name,
    random: new Random(`${seed}/${name}`),
    skew: 0,
    isDead: false,
    requests: 0,
    faults: 0,
    tableFaults: 0,
  };
}

const currentCauseOrThis = (random: Random): Cause =>
  currentCause() ?? {
    name: 'outside',
    random,
    skew: 0,
    isDead: false,
    requests: 0,
    faults: 0,
    tableFaults: 0,
  };

function toAnswer(result: InvocationResult, isLost: boolean): Answer {
  const { cause } = result;
  const none = { body: undefined, code: undefined, cookies: [], cause };
  if (isLost) return { ...none, status: 0 };
  // API Gateway answers for a function that fails or times out.
  if ('failure' in result) return { ...none, status: 503 };
  const { statusCode, body, headers = {}, cookies = [] } = result.value as Item;
  let parsed = body;
  try {
    parsed = body && JSON.parse(body);
  } catch {
    // A page or a calendar.
  }
  return { status: statusCode, body: parsed, code: headers['x-error-code'], cookies, cause };
}

const minterKeys = [1, 2].map((number) => `0x${String(number).repeat(64)}`);

const configuration: Record<string, string> = {
  TABLE_NAME: 'boxoffice',
  BUCKET_NAME: 'pictures',
  JWT_ACCESS_SECRET: 'simulation-access',
  JWT_REFRESH_SECRET: 'simulation-refresh',
  CHECK_IN_SECRET: 'simulation-check-in',
  ORDER_ACCESS_SECRET: 'simulation-order-access',
  GATEWAY_A_SECRET: 'simulation-gateway-a',
  GATEWAY_B_SECRET_HASH: 'simulation-gateway-b-hash',
  GATEWAY_B_SECRET_KEY: 'simulation-gateway-b-key',
  GATEWAY_C_WEBHOOK_SECRET: 'simulation-gateway-c-webhook',
  GATEWAY_C_SECRET_KEY: 'simulation-gateway-c-key',
  GATEWAY_A_URL: 'https://sandbox.test/gateway-a',
  GATEWAY_B_URL: 'https://sandbox.test/gateway-b',
  GATEWAY_C_URL: 'https://sandbox.test/gateway-c',
  DEFAULT_GATEWAY: 'gateway-a',
  MINTER_PRIVATE_KEY: minterKeys.join(','),
  TREASURY_ADDRESS: treasury,
  TICKET_CONTRACTS: `${chainId}:${ticketContract}`,
  PAYMENT_CHAINS: String(chainId),
  [`CHAIN_${chainId}_RPC_URLS`]: 'https://node-1.test/,https://node-2.test/',
  PUBLIC_URL: 'https://boxoffice.test',
  SHOP_NAME: 'Boxoffice',
  MAIL_FROM: 'Boxoffice <tickets@boxoffice.test>',
  STAGE: 'simulation',
  HOLD_MINUTES: '5',
  RETRY_SECONDS: '300',
  STOCK_SHARD_SIZE: '4',
  // All attempts of a webhook end within an hour.
  WEBHOOK_PAUSE_FACTOR: '0.01',
  REGISTRATIONS_PER_HOUR: '1000',
};
