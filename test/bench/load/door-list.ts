import { randomBytes, randomUUID } from 'node:crypto';
import { chromium } from 'playwright-core';
import { eventOrderPartition, keys } from '../../../shared/dynamo/keys.ts';
import { getItem } from '../../../shared/dynamo/read.ts';
import { putAll } from '../../../shared/dynamo/write.ts';
import { newReference, orderIdOf } from '../../../shared/orders/order.ts';
import { executablePath, flags } from '../../support/global-setup.ts';
import { createPost, type Stack } from './stack.ts';

export interface DoorListLoad {
  seats: number;
  requests: number;
  /** As transferred: compressed. */
  megabytes: number;
  /** From opening the page until the device can do without network. */
  seconds: number;
}

const orderCount = 25_000;

/** Chromium's "Slow 4G". */
export const slowLine = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

/** Measures how long the check-in page takes to load 50,000 seats, in orders of two, over a slow line. */
export async function loadDoorList({ apiUrl }: Stack): Promise<DoorListLoad> {
  const post = createPost(apiUrl);
  const email = `${randomUUID()}@example.com`;
  const organizer = { name: 'Olga Organizer', email, password: 'correct horse battery', role: 'ORGANIZER' };
  const { token } = await post('/api/auth/register', organizer);
  const fields = {
    title: 'An evening at the door',
    venue: 'Arena',
    startDate: new Date(Date.now() + 3_600_000).toISOString(),
    tiers: [{ name: 'Floor', price: 0, quantity: 2 * orderCount }],
  };
  const { event } = await post('/api/events', fields, token);
  const [{ id: tierId }] = event.tiers;
  const order = { eventId: event.id, tierId, quantity: 2, paymentMethod: 'FIAT', gateway: 'gateway-a' };
  const { orderId } = await post('/api/orders/initialize', order, token);
  await repeatOrder(event.id, orderId);

  const browser = await chromium.launch({ executablePath, args: flags });
  const page = await browser.newPage({ baseURL: apiUrl });
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(organizer.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  const developerTools = await page.context().newCDPSession(page);
  await developerTools.send('Network.emulateNetworkConditions', slowLine);
  let [requests, bytes] = [0, 0];
  page.on('requestfinished', async (request) => {
    if (!/\/door(\?|$)/.test(request.url())) return;
    requests++;
    bytes += (await request.sizes()).responseBodySize;
  });
  const startedAt = performance.now();
  await page.goto(`/organizer/check-in/${event.id}`);
  await page.getByText(/^List of /).waitFor({ timeout: 300_000 });
  const seconds = (performance.now() - startedAt) / 1_000;
  await browser.close();
  return { seats: 2 * orderCount, requests, megabytes: bytes / 1_000_000, seconds };
}

/** Writes copies of an order to the table, each with its own reference and name. */
async function repeatOrder(eventId: string, orderId: string): Promise<void> {
  const order = await getItem(keys.order(orderId));
  const copies = Array.from({ length: orderCount - 1 }, (_, index) => {
    const reference = newReference(eventId, Date.now() - 30_011 * index);
    const id = orderIdOf(reference) ?? '';
    const customerName = `${randomBytes(5).toString('hex')} ${randomBytes(6).toString('hex')}`;
    const eventKey = { eventPk: eventOrderPartition(eventId, id), eventSk: id };
    return { ...order, ...keys.order(id), id, reference, customerName, ...eventKey };
  });
  for (let start = 0; start < copies.length; start += 1_000) await putAll(copies.slice(start, start + 1_000));
}
