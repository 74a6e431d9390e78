/** Milliseconds that priming may take. Lambda ends an init phase after 10 s, and repeats it within the first call. */
const timeLimit = 2_000;

/** Loads Node's fetch, without the network. Its first use costs a call at 512 MB about 100 ms. */
export const primeFetch = () => fetch('data:,');

/**
 * Runs what a first call would otherwise wait for: connections, credentials, secrets, and the compilation of the SDK's
 * code. Lambda gives a whole core to the init phase, whatever the function's memory. Errors are ignored: a table that
 * fails must not keep a function from starting.
 * @param steps requests without effects, one for each command that the function sends
 */
export async function prime(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, timeLimit);
  });
  await Promise.race([Promise.allSettled(steps.map(async (step) => step())), limit]);
  clearTimeout(timer);
}
