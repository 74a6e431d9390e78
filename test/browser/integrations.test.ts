import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { expectAccessible, openPageAs, screenshot, useBrowser } from '../support/browser.ts';
import { registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';

useBrowser();

test('an organizer creates a key, whose secret is shown once, and deletes it', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const page = await openPageAs(organizer, '/organizer');
  await page.getByRole('link', { name: 'Integrations' }).click();
  await page.getByLabel('Name of the key').fill('CRM');
  await page.getByLabel('Read events').check();
  await page.getByRole('button', { name: 'Create the key' }).click();
  const secret = await page.getByText(/^bxo_live_[0-9a-f]{72}$/).innerText();
  expect((await call('GET', '/api/events', { token: secret })).status).toBe(200);
  await page.reload();
  await page.getByRole('cell', { name: 'CRM' }).waitFor();
  expect(await page.getByText(secret).count()).toBe(0);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the key' }).click();
  await page.getByText('There are no keys yet.').waitFor();
});

test('an organizer adds an endpoint, sends it a test, and sends it again', async () => {
  let requests = 0;
  const server = createServer((_, response) => response.writeHead(requests++ === 0 ? 204 : 201).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const page = await openPageAs(organizer, '/organizer/integrations');
  await page.getByLabel('Address').fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  await page.getByLabel('An order is paid').check();
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('cell', { name: 'endpoint.test' }).waitFor();
  const waitForAnswer = async (status: string) => {
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return page.getByRole('row').last().innerText();
      })
      .toMatch(new RegExp(`Delivered\\s+${status}`));
  };
  await waitForAnswer('204');
  await screenshot(page, 'integrations');
  await page.getByRole('button', { name: 'Send again' }).click();
  await waitForAnswer('201');
});

test('an endpoint that has answered 410 is switched on again, and gets a new secret', async () => {
  const server = createServer((_, response) => response.writeHead(410).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gone`;
  const { endpoint } = (
    await organizer.post('/api/webhook-endpoints', { url, types: ['order.completed'], description: 'CRM' })
  ).body;
  await organizer.post(`/api/webhook-endpoints/${endpoint.id}/test`);
  const page = await openPageAs(organizer, '/organizer/integrations');
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole('heading', { name: url }).waitFor();
      return page.getByText('it answered that it is gone').count();
    })
    .toBe(1);
  await expectAccessible(page, 'integrations-disabled');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('it answered that it is gone').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('button', { name: 'Replace the secret' }).click();
  await page.getByText(/^whsec_/).waitFor();
  const { endpoints } = (await organizer.get('/api/webhook-endpoints')).body;
  expect(endpoints).toEqual([{ ...endpoint, status: 'enabled', disabledReason: null, failingSince: null }]);
});
