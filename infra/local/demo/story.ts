import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackDescription } from '../stack.ts';
import { StartError } from '../start-error.ts';

/** What every part of the demo needs: to call the stack, to wait for something, and to tell what happened. */

const patienceSeconds = 60;
let steps = 0;

/** An answer's JSON: the demo believes the service, and prints what it got. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Json = any;

export async function call(method: string, url: string, token?: string, body: object = {}): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: method === 'GET' ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new StartError(`Nothing answers at ${new URL(url).origin}: is the stack running (npm start)?`);
  });
  if (response.ok) return response.json();
  throw new Error(`${method} ${new URL(url).pathname} answered ${response.status}: ${await response.text()}`);
}

/** Asks twice a second until the answer is truthy. @throws Error that says what did not happen */
export async function eventually(failure: string, ask: () => Promise<Json>): Promise<Json> {
  for (const deadline = Date.now() + patienceSeconds * 1000; Date.now() < deadline; await sleep(500)) {
    const answer = await ask();
    if (answer) return answer;
  }
  throw new Error(
    `${failure} within ${patienceSeconds} seconds; functions.log in the data directory may say why.`,
  );
}

export function step(title: string, details: Record<string, string | string[]>): void {
  console.log(`\n${++steps}. ${title}`);
  const width = Math.max(...Object.keys(details).map((name) => name.length));
  for (const [name, value] of Object.entries(details)) {
    const [first, ...others] = [value].flat();
    console.log(`   ${name.padEnd(width)}  ${first}`);
    for (const line of others) console.log(`   ${' '.repeat(width)}  ${line}`);
  }
}

export function readStack(): StackDescription {
  const file = path.resolve(process.env.BOXOFFICE_DATA_DIR || '.local', 'stack.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new StartError(`There is no ${file}: start the stack first (npm start).`);
  }
}
