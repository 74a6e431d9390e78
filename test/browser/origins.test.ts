import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openContext, signIn, useBrowser } from '../support/browser.ts';
import { registerUser } from '../support/people.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

/** The storefront's files from another port, with the API named in config.json, as a static host would have them. */
let host: Server;
let port: number;

beforeAll(async () => {
  const { apiUrl } = sharedStack();
  host = createServer(async ({ url = '/' }, response) => {
    if (url === '/config.json') {
      response.end(JSON.stringify({ apiUrl, ticketContract: '', chainId: 137 }));
      return;
    }
    const file = await fetch(apiUrl + url);
    response.setHeader('content-type', file.headers.get('content-type') ?? '');
    response.end(Buffer.from(await file.arrayBuffer()));
  });
  await new Promise<void>((resolve) => host.listen(0, 'localhost', resolve));
  port = (host.address() as AddressInfo).port;
});
afterAll(() => {
  host.closeAllConnections();
  host.close();
});

test('on another port of localhost, a session outlives the page: both are one site', async () => {
  const person = await registerUser();
  const page = await (await openContext()).newPage();
  await page.goto(`http://localhost:${port}/login`);
  await signIn(page, person);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.goto(`http://localhost:${port}/account`);
  await page.getByText(person.user.email).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
});

test('from another site the refresh cookie is not sent, so the session ends with the page', async () => {
  const person = await registerUser();
  const page = await (await openContext()).newPage();
  // Another site than localhost, on the same machine.
  await page.goto(`http://127.0.0.1:${port}/login`);
  await signIn(page, person);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.goto(`http://127.0.0.1:${port}/account`);
  await page.waitForURL('**/login?next=%2Faccount');
  expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
});
