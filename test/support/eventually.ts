import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

type Truthy<Answer> = Exclude<Answer, false | 0 | '' | null | undefined>;

/**
 * Polls until the answer is truthy, and returns the answer.
 * @param condition a description of the condition, for the error
 * @param seconds the time limit. By default longer than two periods of the sweep and a mint, since the sweep repeats work
 * that failed: on a slow machine, for example, a call to the chain that took longer than its timeout
 * @param intervalMilliseconds the pause between two polls
 * @throws Error with the condition and the last answer when the time is up, and any error of `poll`
 */
export async function eventually<Answer>(
  condition: string,
  poll: () => Answer | Promise<Answer>,
  { seconds = 150, intervalMilliseconds = 100 } = {},
): Promise<Truthy<Answer>> {
  for (const deadline = Date.now() + seconds * 1000; ; await sleep(intervalMilliseconds)) {
    const answer = await poll();
    if (answer) return answer as Truthy<Answer>;
    if (Date.now() > deadline)
      throw new Error(`Not within ${seconds} s: ${condition} (last: ${inspect(answer)})`);
  }
}
