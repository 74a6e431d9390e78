import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { FunctionLog } from './function-log.ts';
import type { Answer, Environment, Task } from './worker.ts';

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

/** Lambda's limit for the init phase, which loads the file. This time does not count towards the function's timeout. */
const initMilliseconds = 10_000;

/** A message from a worker: `ready` once, then one answer for each event. */
type Message = Answer | 'ready';

/**
 * Imitates a Lambda execution environment with a worker thread that has the function's environment variables. Timeouts
 * and crashes have the error types that Lambda gives them.
 */
export class ExecutionEnvironment {
  readonly #deployedFunction: DeployedFunction;
  readonly #worker: Worker;
  readonly #ready: Promise<Message>;
  /** Receives the worker's next message. Does nothing while none is expected. */
  #onMessage: (message: Message) => void = () => {};
  /** Set by a timeout, a crash or `stop`: it can't handle another event. */
  isDead = false;

  constructor(deployedFunction: DeployedFunction, log: FunctionLog) {
    const { name, file, memoryMegabytes, environment } = deployedFunction;
    this.#deployedFunction = deployedFunction;
    const workerData: Environment = { name, file, memoryMegabytes, logFile: log.file };
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { env: environment, workerData });
    this.#worker.on('message', (message) => this.#onMessage(message));
    this.#worker.once('error', (error) => this.#fail('Runtime.UnhandledError', `${error}`));
    this.#worker.once('exit', (code) =>
      this.#fail('Runtime.ExitError', `The runtime exited with code ${code}`),
    );
    this.#ready = this.#nextMessage(initMilliseconds);
  }

  /** Handles one event, given as JSON. Never throws: after a timeout or crash the answer is a failure. */
  async run(event: string): Promise<Answer> {
    const first = await this.#ready;
    if (first !== 'ready') return first;
    const timeout = this.#deployedFunction.timeoutSeconds * 1000;
    const task: Task = { requestId: randomUUID(), event, deadline: Date.now() + timeout };
    this.#worker.postMessage(task);
    return (await this.#nextMessage(timeout)) as Answer;
  }

  async stop(): Promise<void> {
    this.isDead = true;
    await this.#worker.terminate();
  }

  /** Resolves with the worker's next message, or with a failure when the worker crashes or the time is up. */
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
