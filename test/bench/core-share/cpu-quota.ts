import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { wholeCoreMegabytes } from '../cost/prices.ts';

/** Lambda's scheduling period. */
const periodMicroseconds = 20_000;

const version1Root = '/sys/fs/cgroup/cpu';
const version2Root = '/sys/fs/cgroup';

/** A Linux control group that gives one process Lambda's share of a core. */
export class CpuQuota {
  readonly #directory: string;
  readonly #isVersion1: boolean;

  private constructor(directory: string, isVersion1: boolean) {
    this.#directory = directory;
    this.#isVersion1 = isVersion1;
  }

  /** Creates the group. @returns undefined where control groups don't exist or this user can't write them */
  static create(name: string): CpuQuota | undefined {
    const isVersion1 = existsSync(path.join(version1Root, 'cpu.cfs_quota_us'));
    const directory = path.join(isVersion1 ? version1Root : version2Root, name);
    try {
      mkdirSync(directory);
      const quota = new CpuQuota(directory, isVersion1);
      quota.#limitTo(1);
      return quota;
    } catch {
      return undefined;
    }
  }

  /** Moves a process into the group and limits the group to the share of a core that Lambda gives for this memory. */
  limit(pid: number, megabytes: number): void {
    this.#limitTo(megabytes / wholeCoreMegabytes);
    this.#write('cgroup.procs', pid);
  }

  /** Removes the group. Its processes must have ended. */
  remove(): void {
    rmdirSync(this.#directory);
  }

  #limitTo(cores: number): void {
    const quota = Math.round(cores * periodMicroseconds);
    if (this.#isVersion1) {
      this.#write('cpu.cfs_period_us', periodMicroseconds);
      this.#write('cpu.cfs_quota_us', quota);
    } else {
      this.#write('cpu.max', `${quota} ${periodMicroseconds}`);
    }
  }

  #write(file: string, value: string | number): void {
    writeFileSync(path.join(this.#directory, file), `${value}`);
  }
}
