import { randomUUID } from 'node:crypto';
import { type Authenticator, createAuthenticator } from '../../support/authenticator.ts';
import { createPost, type Stack } from './stack.ts';

export interface LoginRate {
  login: string;
  /** With both cores shared by the stack and this process. */
  'logins/s': number;
}

const people = 20;
const atOnce = 4;
const milliseconds = 10_000;

/** Measures logins a second by password, hashed as in production, and by passkey, which takes two requests. */
export async function measureLogins({ apiUrl }: Stack): Promise<LoginRate[]> {
  const post = createPost(apiUrl);
  const password = 'correct horse battery';
  const accounts: { email: string; token: string }[] = [];
  for (let number = 0; number < people; number++) {
    const email = `${randomUUID()}@example.com`;
    const { token } = await post('/api/auth/register', { name: 'Ann Example', email, password });
    accounts.push({ email, token });
  }
  const byPassword = await measureRate((number) =>
    post('/api/auth/login', { email: accounts[number % people]?.email, password }),
  );

  const authenticators: Authenticator[] = [];
  for (const { token } of accounts) {
    const { options } = await post('/api/auth/passkeys/options', {}, token);
    const authenticator = createAuthenticator(apiUrl);
    const response = authenticator.create({ challenge: options.challenge, userHandle: options.user.id });
    await post('/api/auth/passkeys', { response }, token);
    authenticators.push(authenticator);
  }
  const byPasskey = await measureRate(async (number) => {
    const { challenge } = (await post('/api/auth/passkeys/login/options', {})).options;
    await post('/api/auth/passkeys/login', { response: authenticators[number % people]?.get({ challenge }) });
  });
  return [
    { login: 'by password', 'logins/s': byPassword },
    { login: 'by passkey', 'logins/s': byPasskey },
  ];
}

/** Returns how many calls a second succeed, four at once, after each has run once. */
async function measureRate(logIn: (number: number) => Promise<unknown>): Promise<number> {
  await Promise.all(Array.from({ length: atOnce }, (_, number) => logIn(number)));
  let count = 0;
  const startedAt = performance.now();
  const workers = Array.from({ length: atOnce }, async () => {
    while (performance.now() - startedAt < milliseconds) await logIn(count++);
  });
  await Promise.all(workers);
  return count / ((performance.now() - startedAt) / 1_000);
}
