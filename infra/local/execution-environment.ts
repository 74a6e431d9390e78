import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { FunctionLog } from './function-log.ts';
import type { Answer, Environment, Task } from './worker.ts';

/** A deployed function. */
export interface Deployment {
  name: string;
  /** The built file. */
  file: string;
  environment: Record<string, string>;
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** The maximum of concurrent events. */
  concurrency: number;
}

/** Lambda's limit for loading the file, which does not count towards the function's timeout. */
const initMilliseconds = 10_000;

type Settle = (message: Answer | 'ready') => void;

/** A worker thread with the function's environment variables. It is `dead` after a timeout or crash. */
export class ExecutionEnvironment {
  readonly #deployment: Deployment;
  readonly #worker: Worker;
  readonly #ready: Promise<Answer | 'ready'>;
  /** Receives the worker's next message. Ignores messages between events. */
  #settle: Settle = () => {};
  dead = false;

  constructor(deployment: Deployment, log: FunctionLog) {
    const { name, file, memoryMegabytes, environment } = deployment;
    this.#deployment = deployment;
    const workerData: Environment = { name, file, memoryMegabytes, logFile: log.file };
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { env: environment, workerData });
    this.#worker.on('message', (message) => this.#settle(message));
    this.#worker.once('error', (error) => this.#end('Runtime.UnhandledError', `${error}`));
    this.#worker.once('exit', (code) =>
      this.#end('Runtime.ExitError', `The runtime exited with code ${code}`),
    );
    this.#ready = this.#message(initMilliseconds);
  }

  /** Handles one event. Never throws: a timeout or crash is an answer with a failure. */
  async run(event: string): Promise<Answer> {
    const broken = await this.#ready;
    if (broken !== 'ready') return broken;
    const milliseconds = this.#deployment.timeoutSeconds * 1000;
    const task: Task = { requestId: randomUUID(), event, deadline: Date.now() + milliseconds };
    this.#worker.postMessage(task);
    return (await this.#message(milliseconds)) as Answer;
  }

  async stop(): Promise<void> {
    this.dead = true;
    await this.#worker.terminate();
  }

  /** Resolves with the worker's next message, or with a timeout's or crash's failure. */
  #message(milliseconds: number): Promise<Answer | 'ready'> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#end('Sandbox.Timedout', `Task timed out after ${(milliseconds / 1000).toFixed(2)} seconds`);
        void this.stop();
      }, milliseconds);
      this.#settle = (message) => {
        clearTimeout(timer);
        this.#settle = () => {};
        resolve(message);
      };
    });
  }

  #end(errorType: string, errorMessage: string): void {
    this.dead = true;
    this.#settle({ failure: { errorType, errorMessage } });
  }
}
