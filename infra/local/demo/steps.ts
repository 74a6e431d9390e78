import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../services/process.ts';
import type { StackDescription } from '../stack.ts';

/** Helpers of the demo: calling the stack, polling for a result, printing a step. */

/** Longer than two periods of the sweep and a mint, since the sweep repeats work that failed. */
const timeoutSeconds = 150;
let stepCount = 0;

/** A response's JSON, which the demo prints without validating it. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Json = any;

/** @param token an access token; `Order …` for the access token of a guest's order */
export const authorizationOf = (token: string) => (token.startsWith('Order ') ? token : `Bearer ${token}`);

export async function call(method: string, url: string, token?: string, body: object = {}): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: authorizationOf(token) }) },
    body: method === 'GET' ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new StartError(`No server responds at ${new URL(url).origin}. Start the stack with npm start.`);
  });
  if (response.ok) return response.json();
  throw new ResponseError(method, new URL(url).pathname, response.status, await response.text());
}

/** A response with an error status. */
export class ResponseError extends Error {
  readonly status: number;

  constructor(method: string, pathname: string, status: number, body: string) {
    super(`${method} ${pathname} returned ${status}: ${body}`);
    this.status = status;
  }
}

/** Polls twice a second until the result is truthy. @throws Error with `failure` after 150 seconds */
export async function eventually(failure: string, poll: () => Promise<Json>): Promise<Json> {
  for (const deadline = Date.now() + timeoutSeconds * 1000; Date.now() < deadline; await sleep(500)) {
    const result = await poll();
    if (result) return result;
  }
  throw new Error(`${failure} within ${timeoutSeconds} seconds. See functions.log in the data directory.`);
}

export function printStep(title: string, details: Record<string, string | string[]>): void {
  console.log(`\n${++stepCount}. ${title}`);
  const width = Math.max(...Object.keys(details).map((name) => name.length));
  for (const [name, value] of Object.entries(details)) {
    const [first, ...others] = [value].flat();
    console.log(`   ${name.padEnd(width)}  ${first}`);
    for (const line of others) console.log(`   ${' '.repeat(width)}  ${line}`);
  }
}

/** The data folder of the stack, as in `npm start`. */
export const directory = path.resolve(process.env.BOXOFFICE_DATA_DIR || '.local');

/** @throws StartError when no stack was started in the folder */
export function readStack(): StackDescription {
  const file = path.join(directory, 'stack.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new StartError(`There is no ${file}. Start the stack with npm start.`);
  }
}

/** The login of a demo account. The password is public, which is safe on a stack that listens on this machine only. */
export interface Login {
  email: string;
  password: string;
}

export const organizerLogin: Login = { email: 'olu@example.com', password: 'olu sells tickets' };
export const buyerLogin: Login = { email: 'bea@example.com', password: 'bea buys tickets' };

const loginsFile = (directory: string) => path.join(directory, 'demo-logins.json');

/** Returns a line for each login that the demo has created; undefined before the first demo. */
export function readLogins(directory: string): string[] | undefined {
  try {
    return JSON.parse(readFileSync(loginsFile(directory), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Saves the logins for the next start of the stack. @returns a line for each */
export function saveLogins(directory: string): string[] {
  const lines = [
    `organizer  ${organizerLogin.email}  password: ${organizerLogin.password}`,
    `buyer      ${buyerLogin.email}  password: ${buyerLogin.password}`,
  ];
  writeFileSync(loginsFile(directory), JSON.stringify(lines));
  return lines;
}
