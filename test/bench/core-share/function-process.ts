import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { DeployedFunction } from '../../../infra/local/lambda/execution-environment.ts';

/** Runs a function in its own process, so that the process's share of a core can be limited. */
export class FunctionProcess {
  readonly #child: ChildProcess;
  /** The duration of loading and priming (shared/runtime/prime.ts), in milliseconds. */
  readonly init: number;

  private constructor(child: ChildProcess, init: number) {
    this.#child = child;
    this.init = init;
  }

  static async start({ file, environment }: DeployedFunction): Promise<FunctionProcess> {
    const child = fork(path.join(import.meta.dirname, 'runtime.ts'), [file], { env: environment });
    const [{ init }] = await once(child, 'message');
    return new FunctionProcess(child, init);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Calls the function. @returns the duration in milliseconds @throws Error for a response that is not a success */
  async call(event: object): Promise<number> {
    this.#child.send(event);
    const [{ milliseconds, answer }] = await once(this.#child, 'message');
    if (answer.statusCode >= 300) throw new Error(`Refused: ${answer.body}`);
    return milliseconds;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
