import { verifyPassword } from '../../../shared/auth/password.ts';
import { prices, wholeCoreMegabytes } from './prices.ts';

/** The cost of logins, by the function's memory. */
export interface LoginCost {
  memoryMegabytes: number;
  /** Seconds that a login computes. */
  seconds: number;
  /** Concurrent executions at 100 logins a second. */
  atOnce: number;
  /** US dollars for an hour of 100 logins a second, with the requests to the API. */
  dollarsAnHour: number;
}

const loginsPerSecond = 100;

/** @param core seconds of a whole core per password */
export function loginCosts(core: number): LoginCost[] {
  return [512, 1_024, wholeCoreMegabytes, 3_008].map((memoryMegabytes) => {
    // One thread computes, so anything above one core is idle.
    const seconds = core * Math.max(1, wholeCoreMegabytes / memoryMegabytes);
    const computing = (seconds * memoryMegabytes * prices.gigabyteSecond) / 1_024;
    const aLogin = (computing + prices.invocation + prices.httpRequest) / 1_000_000;
    return {
      memoryMegabytes,
      seconds,
      atOnce: loginsPerSecond * seconds,
      dollarsAnHour: aLogin * loginsPerSecond * 3_600,
    };
  });
}

/** Returns the processor time of a password in seconds: the least of several runs, which is the least disturbed. */
export async function measurePassword(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const before = process.cpuUsage();
    await verifyPassword('correct horse battery', undefined);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000_000);
  }
  return Math.min(...times);
}
