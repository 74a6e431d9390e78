import { verifyPassword } from '../../../shared/accounts/auth/password.ts';
import { prices, wholeCoreMegabytes } from './prices.ts';

/** The cost of logins when the login function has this memory. */
export interface LoginCost {
  memoryMegabytes: number;
  /** The computing time of a login with this memory. */
  seconds: number;
  /** Concurrent executions at 100 logins a second. */
  concurrency: number;
  /** For 100 logins a second, including the API's requests. */
  dollarsPerHour: number;
}

const loginsPerSecond = 100;

/** @param coreSeconds the CPU time of verifying a password on a whole core */
export function loginCosts(coreSeconds: number): LoginCost[] {
  return [512, 1_024, wholeCoreMegabytes, 3_008].map((memoryMegabytes) => {
    // A login computes in one thread, so more than one core is no faster.
    const seconds = coreSeconds * Math.max(1, wholeCoreMegabytes / memoryMegabytes);
    const computingPerMillion = (seconds * memoryMegabytes * prices.gigabyteSecond) / 1_024;
    const dollarsPerLogin = (computingPerMillion + prices.invocation + prices.httpRequest) / 1_000_000;
    return {
      memoryMegabytes,
      seconds,
      concurrency: loginsPerSecond * seconds,
      dollarsPerHour: dollarsPerLogin * loginsPerSecond * 3_600,
    };
  });
}

/**
 * Returns the CPU time, in seconds, of verifying a password: the minimum of several runs, since other load only adds to
 * it.
 */
export async function measurePasswordCheck(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const before = process.cpuUsage();
    await verifyPassword('correct horse battery', undefined);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000_000);
  }
  return Math.min(...times);
}
