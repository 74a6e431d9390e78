import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from '../write-file-atomically.ts';

/** An account of the demo. Its password is public, which is safe on a stack that listens on this machine only. */
export interface Login {
  email: string;
  password: string;
}

export const organizerLogin: Login = { email: 'olu@example.com', password: 'olu sells tickets' };
export const buyerLogin: Login = { email: 'bea@example.com', password: 'bea buys tickets' };

const fileOf = (directory: string) => path.join(directory, 'demo-logins.json');

/** @returns a line for each login that the demo has made in a stack's data; undefined before the first demo */
export function demoLogins(directory: string): string[] | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(directory), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Leaves the logins for the next start of the stack. @returns a line for each */
export function keepLogins(directory: string): string[] {
  const lines = [
    `organizer  ${organizerLogin.email}  password: ${organizerLogin.password}`,
    `buyer      ${buyerLogin.email}  password: ${buyerLogin.password}`,
  ];
  writeFileAtomically(fileOf(directory), JSON.stringify(lines));
  return lines;
}
