import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { FunctionLog } from './function-log.ts';
import type { InvocationResult, Task, WorkerConfiguration } from './worker.ts';

/** A function that the local stack runs, with the Lambda settings that apply to it. */
export interface DeployedFunction {
  name: string;
  /** Path of the function's bundle. */
  file: string;
  environment: Record<string, string>;
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** The largest number of concurrent events. */
  concurrency: number;
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
    const workerData: WorkerConfiguration = { name, file, memoryMegabytes, logFile: log.file };
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
