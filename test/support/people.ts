import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import type { StackDescription } from '../../infra/local/stack.ts';
import type { User } from '../../shared/accounts/users/user.ts';
import { call } from './http.ts';
import { sharedStack } from './stack.ts';
import { tableEnvironment } from './table.ts';

const opsScript = path.resolve(import.meta.dirname, '../../infra/ops/main.ts');

export interface Person {
  user: User;
  /** An access token. */
  token: string;
  /** The refresh cookie as a browser sends it: `name=value`. */
  cookie: string;
  password: string;
}

export interface Registration {
  role?: 'USER' | 'ORGANIZER';
  name?: string;
  walletAddress?: string;
  password?: string;
}

/** Registers a new user with a unique e-mail address. The password's hash takes 250 ms of CPU time. */
export async function registerUser(
  registration: Registration = {},
  stack: StackDescription = sharedStack(),
): Promise<Person> {
  const { password = 'correct horse battery' } = registration;
  const answer = await call('POST', '/api/auth/register', {
    apiUrl: stack.apiUrl,
    body: { email: freshEmail(), name: 'Ann Example', ...registration, password },
  });
  if (answer.status !== 201) throw new Error(`Not registered: ${JSON.stringify(answer.body)}`);
  const { user, token } = answer.body;
  return { user, token, cookie: cookieOf(answer), password };
}

/** Registers a user and grants the role ADMIN with the operator's script. */
export async function registerAdmin(stack: StackDescription = sharedStack()): Promise<Person> {
  const person = await registerUser({}, stack);
  await runGrantRole(person.user.email, 'ADMIN', stack);
  const { body } = await call('POST', '/api/auth/refresh-token', {
    apiUrl: stack.apiUrl,
    cookie: person.cookie,
  });
  return { ...person, user: { ...person.user, role: 'ADMIN' }, token: body.token };
}

/** Adds a person to the staff of an event. @throws Error when the API refuses the request */
export async function addStaff(
  organizer: Person,
  eventId: string,
  { user }: Person,
  role: 'manager' | 'door',
): Promise<void> {
  const body = { email: user.email, role };
  const answer = await call('POST', `/api/events/${eventId}/staff`, { token: organizer.token, body });
  if (answer.status !== 201) throw new Error(`Not added to the staff: ${JSON.stringify(answer.body)}`);
}

/** Runs `npm run grant-role` on a stack's table. @throws Error with the exit code and stderr when it fails */
export function runGrantRole(email: string, role: string, stack: StackDescription = sharedStack()) {
  return promisify(execFile)(process.execPath, [opsScript, 'grant-role', '--email', email, '--role', role], {
    env: { ...process.env, ...tableEnvironment(stack) },
  });
}

export function freshEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** Returns the first cookie of a response, as a browser sends it. */
export function cookieOf({ cookies }: { cookies: string[] }): string {
  return cookies[0]?.split(';')[0] ?? '';
}
