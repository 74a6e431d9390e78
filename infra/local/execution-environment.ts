import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { FunctionLog } from './function-log.ts';
import type { Answer, Task } from './worker.ts';

/** A function as it is deployed. */
export interface Deployment {
  name: string;
  /** The built file. */
  file: string;
  environment: Record<string, string>;
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** How many events it may work on at once. */
  concurrency: number;
}

/** As Lambda has it: loading the file may take this long, apart from the function's own time. */
const initMilliseconds = 10_000;

/** A worker thread with the function's own environment. After a timeout or crash it is `dead` for good. */
export class ExecutionEnvironment {
  readonly #deployment: Deployment;
  readonly #worker: Worker;
  readonly #died: Promise<Answer>;
  #ready: Promise<Answer | undefined>;
  dead = false;

  constructor(deployment: Deployment, log: FunctionLog) {
    const { name, file, memoryMegabytes, environment } = deployment;
    this.#deployment = deployment;
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      env: environment,
      workerData: { file, name, memoryMegabytes },
      stdout: true,
      stderr: true,
    });
    log.collect(name, this.#worker.stdout);
    log.collect(name, this.#worker.stderr);
    this.#died = new Promise((resolve) => {
      this.#worker.once('error', (error) => resolve(failed('Runtime.UnhandledError', `${error}`)));
      this.#worker.once('exit', (code) => {
        this.dead = true;
        resolve(failed('Runtime.ExitError', `The runtime exited with code ${code}`));
      });
    });
    this.#ready = this.#within(
      initMilliseconds,
      new Promise<undefined>((resolve) => this.#worker.once('message', () => resolve(undefined))),
    );
  }

  /** Works on one event. Never throws: a timeout or crash is an answer too. */
  async run(event: string): Promise<Answer> {
    const broken = await this.#ready;
    if (broken) return broken;
    const milliseconds = this.#deployment.timeoutSeconds * 1000;
    const answered = new Promise<Answer>((resolve) => this.#worker.once('message', resolve));
    const task: Task = { requestId: randomUUID(), event, deadline: Date.now() + milliseconds };
    this.#worker.postMessage(task);
    return this.#within(milliseconds, answered);
  }

  async stop(): Promise<void> {
    this.dead = true;
    await this.#worker.terminate();
  }

  async #within<Result>(milliseconds: number, result: Promise<Result>): Promise<Result | Answer> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Answer>((resolve) => {
      timer = setTimeout(() => {
        void this.stop();
        resolve(
          failed('Sandbox.Timedout', `Task timed out after ${(milliseconds / 1000).toFixed(2)} seconds`),
        );
      }, milliseconds);
    });
    const first = await Promise.race([result, late, this.#died]);
    clearTimeout(timer);
    return first;
  }
}

function failed(errorType: string, errorMessage: string): Answer {
  return { failure: { errorType, errorMessage } };
}
