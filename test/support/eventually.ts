import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks ten times a second until the answer is truthy, and hands it on.
 * @throws Error that says what did not happen within `seconds`
 */
export async function eventually<Answer>(
  what: string,
  ask: () => Promise<Answer>,
  seconds = 60,
): Promise<Exclude<Answer, false | null | undefined>> {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await sleep(100)) {
    const answer = await ask();
    if (answer) return answer as Exclude<Answer, false | null | undefined>;
  }
  throw new Error(`${what}: not within ${seconds} seconds`);
}
