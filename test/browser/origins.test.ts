import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openContext, signIn, useBrowser } from '../support/browser.ts';
import { initializeOrder, openSale, registerUser } from '../support/fixtures.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

/** Serves the storefront's files on another port, with the API's address in config.json, as static hosts do. */
let staticHost: Server;
let port: number;

beforeAll(async () => {
  const { apiUrl } = sharedStack();
  staticHost = createServer(async ({ url = '/' }, response) => {
    if (url === '/config.json') {
      response.end(JSON.stringify({ apiUrl, ticketContract: '', chainId: 137 }));
      return;
    }
    const file = await fetch(apiUrl + url);
    response.setHeader('content-type', file.headers.get('content-type') ?? '');
    response.end(Buffer.from(await file.arrayBuffer()));
  });
  await new Promise<void>((resolve) => staticHost.listen(0, 'localhost', resolve));
  port = (staticHost.address() as AddressInfo).port;
});
afterAll(() => {
  staticHost.closeAllConnections();
  staticHost.close();
});

test('a session survives a page load when the storefront and the API are on two ports of localhost', async () => {
  const person = await registerUser();
  const page = await (await openContext()).newPage();
  await page.goto(`http://localhost:${port}/login`);
  await signIn(page, person);
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
  await page.goto(`http://localhost:${port}/account`);
  await page.getByText(person.user.email).first().waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
});

test('a session ends at the next page load when the storefront and the API are on different sites', async () => {
  const person = await registerUser();
  const page = await (await openContext()).newPage();
  // For browsers, 127.0.0.1 and localhost are different sites.
  await page.goto(`http://127.0.0.1:${port}/login`);
  await signIn(page, person);
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
  await page.goto(`http://127.0.0.1:${port}/account`);
  await page.waitForURL('**/login?next=%2Faccount');
  expect(await page.getByRole('button', { name: 'Sign out', exact: true }).count()).toBe(0);
});

// The page reads the service's time from a response header, which the API has to expose to other origins.
test('an order on another origin shows the time left to pay although the visitor’s clock is a day ahead', async () => {
  const [sale, buyer] = await Promise.all([openSale(), registerUser()]);
  const { orderId } = await initializeOrder(sale, buyer, 1);
  const page = await (await openContext()).newPage();
  await page.clock.install({ time: Date.now() + 86_400_000 });
  await page.goto(`http://localhost:${port}/login?next=/orders/${orderId}`);
  await signIn(page, buyer);
  await page.getByRole('link', { name: 'Go to payment' }).waitFor();
  expect(await page.getByRole('timer').innerText()).toMatch(/^1[0-5]:\d\d left$/);
});
