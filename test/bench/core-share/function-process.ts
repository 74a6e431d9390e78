import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DeployedFunction } from '../../../infra/local/lambda/lambda.ts';
import { wholeCoreMegabytes } from '../cost.ts';

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

/** Lambda's scheduling period. */
const periodMicroseconds = 20_000;

/** A Linux control group that gives one process Lambda's share of a core. */
export class CpuQuota {
  readonly #directory: string;
  readonly #isVersion1: boolean;

  /** Creates the group. @throws Error where control groups don't exist or this user can't write them */
  constructor(name: string) {
    this.#isVersion1 = existsSync('/sys/fs/cgroup/cpu/cpu.cfs_quota_us');
    this.#directory = path.join(this.#isVersion1 ? '/sys/fs/cgroup/cpu' : '/sys/fs/cgroup', name);
    mkdirSync(this.#directory);
  }

  /** Moves a process into the group and limits the group to the share of a core that Lambda gives for this memory. */
  limit(pid: number, megabytes: number): void {
    const quota = Math.round((megabytes / wholeCoreMegabytes) * periodMicroseconds);
    if (this.#isVersion1) {
      this.#write('cpu.cfs_period_us', periodMicroseconds);
      this.#write('cpu.cfs_quota_us', quota);
    } else {
      this.#write('cpu.max', `${quota} ${periodMicroseconds}`);
    }
    this.#write('cgroup.procs', pid);
  }

  /** Removes the group. Its processes must have ended. */
  remove(): void {
    rmdirSync(this.#directory);
  }

  #write(file: string, value: string | number): void {
    writeFileSync(path.join(this.#directory, file), `${value}`);
  }
}
