import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from '../write-file-atomically.ts';

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
  writeFileAtomically(loginsFile(directory), JSON.stringify(lines));
  return lines;
}
