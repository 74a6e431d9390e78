/**
 * The time limit of priming, in milliseconds. Lambda ends an init phase after 10 s, and repeats it within the first
 * call.
 */
const timeLimitMilliseconds = 2_000;

/** Loads Node's fetch, without the network. The first use of fetch takes about 100 ms at 512 MB. */
export const primeFetch = () => fetch('data:,');

/**
 * Prepares connections, credentials, secrets and the SDK's compiled code, for which the first call would otherwise
 * wait. Lambda gives the init phase a whole core at every memory size. Errors are ignored: a table that fails must not
 * prevent a function from starting.
 * @param steps requests without effects, one for each command that the function sends
 */
export async function prime(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, timeLimitMilliseconds);
  });
  await Promise.race([Promise.allSettled(steps.map(async (step) => step())), limit]);
  clearTimeout(timer);
}
