import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { readBody } from '../http/payload.ts';
import type { FunctionLog } from './log.ts';
import type { InvocationResult, Task, WorkerConfiguration } from './worker.ts';

/** A function that the local stack runs, with the Lambda settings that apply to it. */
export interface DeployedFunction {
  name: string;
  /** Path of the function's bundle. */
  file: string;
  environment: Record<string, string>;
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** The largest number of concurrent events. Further ones wait, unless the account's concurrency is emulated. */
  concurrency: number;
}

/**
 * The emulated concurrency of an account. A function with a reservation has exactly that; all others share the rest.
 * Lambda throttles what exceeds it: nothing waits.
 */
export interface AccountConcurrency {
  account: number;
  /** By the function's name. */
  reserved: Record<string, number>;
}

/** Lambda's error for a call that exceeds the concurrency. The function has not run. */
const throttled: InvocationResult = {
  failure: { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' },
};
export const isThrottled = (result: InvocationResult) =>
  'failure' in result && result.failure.errorType === 'TooManyRequestsException';

/**
 * Invokes a function, once an execution environment is free. A failure of the function is a result, not an exception.
 * @throws Error when there is no such function
 */
export type Invoke = (name: string, event: unknown) => Promise<InvocationResult>;

/** The Lambda service. It creates execution environments when they are needed. */
export class Lambda {
  readonly #functions: Map<string, LambdaFunction>;
  readonly #limits: AccountConcurrency | undefined;
  /** The number of running events by pool. */
  readonly #running = new Map<string, number>();

  /**
   * @param limits the concurrency to emulate; by default calls wait instead of being throttled
   * @param idleMilliseconds the time after which an idle execution environment ends; on AWS some minutes
   */
  constructor(
    deployments: DeployedFunction[],
    log: FunctionLog,
    limits?: AccountConcurrency,
    idleMilliseconds = 60_000,
  ) {
    this.#limits = limits;
    this.#functions = new Map(
      deployments.map((deployment) => [
        deployment.name,
        new LambdaFunction(deployment, log, idleMilliseconds),
      ]),
    );
  }

  has(name: string): boolean {
    return this.#functions.has(name);
  }

  invoke: Invoke = async (name, event) => {
    const found = this.#functions.get(name);
    if (!found) throw new Error(`There is no function ${name}`);
    const call = () => found.invoke(JSON.stringify(event));
    return this.#limits ? this.#runWithin(this.#limits, name, call) : call();
  };

  /** Runs a call unless the pool of its function is full. */
  async #runWithin(
    { account, reserved }: AccountConcurrency,
    name: string,
    call: () => Promise<InvocationResult>,
  ): Promise<InvocationResult> {
    const pool = name in reserved ? name : 'unreserved';
    const allReserved = Object.values(reserved).reduce((sum, count) => sum + count, 0);
    const running = this.#running.get(pool) ?? 0;
    if (running >= (reserved[name] ?? account - allReserved)) return throttled;
    this.#running.set(pool, running + 1);
    try {
      return await call();
    } finally {
      this.#running.set(pool, (this.#running.get(pool) ?? 0) - 1);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#functions.values()].map((lambdaFunction) => lambdaFunction.stop()));
  }
}

class LambdaFunction {
  readonly #deployment: DeployedFunction;
  readonly #log: FunctionLog;
  readonly #idleMilliseconds: number;
  readonly #idle = new Map<ExecutionEnvironment, NodeJS.Timeout>();
  readonly #environments = new Set<ExecutionEnvironment>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(deployment: DeployedFunction, log: FunctionLog, idleMilliseconds: number) {
    this.#deployment = deployment;
    this.#log = log;
    this.#idleMilliseconds = idleMilliseconds;
  }

  async invoke(event: string): Promise<InvocationResult> {
    await this.#waitForCapacity();
    const environment = this.#acquireEnvironment();
    try {
      const result = await environment.run(event);
      if ('failure' in result) this.#logFailure(result.failure);
      return result;
    } finally {
      if (environment.isDead) this.#environments.delete(environment);
      else this.#keepIdle(environment);
      this.#startNext();
    }
  }

  async stop(): Promise<void> {
    for (const timer of this.#idle.values()) clearTimeout(timer);
    await Promise.all([...this.#environments].map((environment) => environment.stop()));
  }

  /** Keeps an environment for the next event, and ends it after a minute without one. */
  #keepIdle(environment: ExecutionEnvironment): void {
    const end = () => {
      this.#idle.delete(environment);
      this.#environments.delete(environment);
      void environment.stop();
    };
    this.#idle.set(environment, setTimeout(end, this.#idleMilliseconds));
  }

  /** Waits until fewer events than the function's concurrency are running. */
  async #waitForCapacity(): Promise<void> {
    if (this.#running < this.#deployment.concurrency) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Starts the event that has waited longest. */
  #startNext(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }

  #acquireEnvironment(): ExecutionEnvironment {
    // The newest first, so that environments that the load no longer needs stay idle.
    for (const [idle, timer] of [...this.#idle].reverse()) {
      clearTimeout(timer);
      this.#idle.delete(idle);
      if (!idle.isDead) return idle;
      this.#environments.delete(idle);
    }
    const environment = new ExecutionEnvironment(this.#deployment, this.#log);
    this.#environments.add(environment);
    return environment;
  }

  #logFailure({
    errorType,
    errorMessage,
    stackTrace,
  }: {
    errorType: string;
    errorMessage: string;
    stackTrace?: string[];
  }) {
    const entry = { level: 'ERROR', message: errorType, cause: errorMessage, stack: stackTrace };
    this.#log.write(this.#deployment.name, JSON.stringify(entry));
  }
}

/**
 * Lambda's limit for the init phase, which loads the bundle. The phase does not count towards the function's timeout.
 * Lambda repeats a longer phase within the first call, so here such a phase has the function's timeout in addition.
 */
const initMilliseconds = 10_000;

/** A message from a worker: `ready` once, then a result for each event. */
type Message = InvocationResult | 'ready';

/**
 * Emulates a Lambda execution environment with a worker thread that has the function's environment variables. Timeouts
 * and crashes have the same error types as on Lambda.
 */
export class ExecutionEnvironment {
  readonly #deployedFunction: DeployedFunction;
  readonly #worker: Worker;
  readonly #ready: Promise<Message>;
  /** Handles the worker's next message. Does nothing while no message is expected. */
  #onMessage: (message: Message) => void = () => {};
  /** True after a timeout, a crash or `stop`: the environment can't handle another event. */
  isDead = false;

  constructor(deployedFunction: DeployedFunction, log: FunctionLog) {
    const { name, file, timeoutSeconds, memoryMegabytes, environment } = deployedFunction;
    this.#deployedFunction = deployedFunction;
    const workerData: WorkerConfiguration = {
      name,
      file,
      memoryMegabytes,
      logFile: log.file,
      compileCache: getCompileCacheDir(),
    };
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { env: environment, workerData });
    this.#worker.on('message', (message) => this.#onMessage(message));
    this.#worker.once('error', (error) => this.#fail('Runtime.UnhandledError', `${error}`));
    this.#worker.once('exit', (code) =>
      this.#fail('Runtime.ExitError', `The runtime exited with code ${code}`),
    );
    this.#ready = this.#nextMessage(initMilliseconds + 1000 * timeoutSeconds);
  }

  /** Handles one event, as JSON. Never throws: after a timeout or a crash the result is a failure. */
  async run(event: string): Promise<InvocationResult> {
    const firstMessage = await this.#ready;
    if (firstMessage !== 'ready') return firstMessage;
    const timeout = this.#deployedFunction.timeoutSeconds * 1000;
    const task: Task = { requestId: randomUUID(), event, deadline: Date.now() + timeout };
    this.#worker.postMessage(task);
    return (await this.#nextMessage(timeout)) as InvocationResult;
  }

  async stop(): Promise<void> {
    this.isDead = true;
    await this.#worker.terminate();
  }

  /** Resolves with the worker's next message, or with a failure when the worker crashes or the timeout ends. */
  #nextMessage(milliseconds: number): Promise<Message> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#fail('Sandbox.Timedout', `Task timed out after ${(milliseconds / 1000).toFixed(2)} seconds`);
        void this.stop();
      }, milliseconds);
      this.#onMessage = (message) => {
        clearTimeout(timer);
        this.#onMessage = () => {};
        resolve(message);
      };
    });
  }

  #fail(errorType: string, errorMessage: string): void {
    this.isDead = true;
    this.#onMessage({ failure: { errorType, errorMessage } });
  }
}

const invocationPath = /^\/2015-03-31\/functions\/([\w-]+)\/invocations$/;

/** Lambda's limit for the event of a synchronous call, in bytes. */
const eventLimit = 6 * 1024 * 1024;

/**
 * Lambda's Invoke API for synchronous calls: the request's body is the event, and the response's body the result. For a
 * failed function, the response is a 200 with the error and the header `x-amz-function-error`, as on AWS.
 */
export function createLambdaApi(lambda: Lambda): Server {
  return createServer(async (request, response) => {
    const reply = (status: number, payload: string, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(payload);
    try {
      const name = invocationPath.exec(request.url ?? '')?.[1];
      if (request.method !== 'POST' || !name || !lambda.has(name)) {
        return reply(404, JSON.stringify({ Type: 'User', Message: `Function not found: ${name}` }));
      }
      const body = await readBody(request, eventLimit);
      if (!body) {
        return reply(413, JSON.stringify({ Type: 'User', Message: `The event exceeds ${eventLimit} bytes` }));
      }
      const result = await lambda.invoke(name, JSON.parse(body.toString() || '{}'));
      if (isThrottled(result)) reply(429, JSON.stringify({ Type: 'User', Message: 'Rate Exceeded.' }));
      else if ('payload' in result) reply(200, result.payload);
      else reply(200, JSON.stringify(result.failure), { 'x-amz-function-error': 'Unhandled' });
    } catch (error) {
      reply(400, JSON.stringify({ Type: 'User', Message: (error as Error).message }));
    }
  });
}
