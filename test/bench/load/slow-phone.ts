import { randomUUID } from 'node:crypto';
import { type Browser, chromium, type Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { executablePath, flags } from '../../support/global-setup.ts';
import { slowLine } from './door-list.ts';
import { createPost, type Stack } from './stack.ts';

export interface SlowPhone {
  page: string;
  visits: number;
  /** From opening the page until its buttons react, with an empty cache. */
  medianSeconds: number;
  slowestSeconds: number;
  /** As transferred, without the picture. */
  kilobytes: number;
  /** The largest sum of layout shifts of a visit, as Chromium counts them: 0 when nothing moves. */
  layoutShift: number;
}

const visits = 9;
/** How much slower than this machine a phone of middling price is: what Lighthouse assumes. */
const processorSlowdown = 4;

/** Measures how soon a buyer can choose tickets on a slow phone over a slow line, of an event with a picture. */
export async function visitAsSlowPhone({ apiUrl }: Stack): Promise<SlowPhone> {
  const browser = await chromium.launch({ executablePath, args: flags });
  try {
    const eventId = await createEventWithPicture(apiUrl, browser);
    const measured = [];
    for (let visit = 0; visit < visits; visit++) measured.push(await visitEvent(browser, apiUrl, eventId));
    const seconds = measured.map((visit) => visit.seconds).sort((a, b) => a - b);
    return {
      page: 'event',
      visits,
      medianSeconds: seconds[(visits - 1) / 2] ?? 0,
      slowestSeconds: seconds.at(-1) ?? 0,
      kilobytes: Math.max(...measured.map((visit) => visit.bytes)) / 1_000,
      layoutShift: Math.max(...measured.map((visit) => visit.layoutShift)),
    };
  } finally {
    await browser.close();
  }
}

async function createEventWithPicture(apiUrl: string, browser: Browser): Promise<string> {
  const post = createPost(apiUrl);
  const email = `${randomUUID()}@example.com`;
  const organizer = { name: 'Olga Organizer', email, password: 'correct horse battery', role: 'ORGANIZER' };
  const { token } = await post('/api/auth/register', organizer);
  const fields = {
    title: 'Night of the Lambdas',
    description: 'A **long** night.\n\n'.repeat(20),
    venue: 'Old Station',
    startDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    tiers: ['Floor', 'Balcony', 'Box'].map((name) => ({ name, price: 40, quantity: 100 })),
  };
  const { event } = await post('/api/events', fields, token);
  const page = await browser.newPage();
  const picture: string = await page.evaluate(drawPicture);
  await page.close();
  const upload = await post(`/api/events/${event.id}/image`, { type: 'image/jpeg' }, token);
  const form = new FormData();
  for (const [name, value] of Object.entries<string>(upload.fields)) form.append(name, value);
  form.append('file', new Blob([Buffer.from(picture.split(',')[1] ?? '', 'base64')]));
  const response = await fetch(upload.url, { method: 'POST', body: form });
  if (!response.ok) throw new Error(`The picture was not uploaded: ${await response.text()}`);
  await eventually('the picture is processed', async () => (await fetch(upload.imageUrl)).ok);
  return event.id;
}

// The following scripts run in the browser.

/** Draws a picture of the recommended size. */
const drawPicture = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 900 });
  const context = canvas.getContext('2d');
  for (let x = 0; x < 1600; x += 16) {
    for (let y = 0; y < 900; y += 16) {
      context.fillStyle = \`hsl(\${(x * y) % 360} 60% \${30 + ((x + y) % 40)}%)\`;
      context.fillRect(x, y, 16, 16);
    }
  }
  return canvas.toDataURL('image/jpeg', 0.5);
})()`;

const recordShifts = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
`;

const sumShifts = `shifts.filter((shift) => !shift.hadRecentInput).reduce((sum, { value }) => sum + value, 0)`;

/** Chooses a ticket as soon as the page has its button. The page does it itself: a test's clicks take much longer. */
const choose = `
  (function choose() {
    const quantity = document.querySelector('[aria-label="Quantity of Balcony"]');
    if (quantity?.value === '1') globalThis.chosenAt = performance.now();
    else requestAnimationFrame(choose);
    if (!globalThis.hasClicked) document.querySelector('[aria-label="More Balcony"]')?.click();
    globalThis.hasClicked = quantity !== null;
  })();
`;

async function visitEvent(browser: Browser, apiUrl: string, eventId: string) {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, baseURL: apiUrl, locale: 'en-GB' });
  const page = await context.newPage();
  await slowDown(page);
  await page.addInitScript(recordShifts);
  await page.addInitScript(choose);
  let bytes = 0;
  page.on('requestfinished', async (request) => {
    if (request.resourceType() !== 'image') bytes += (await request.sizes()).responseBodySize;
  });
  await page.goto(`/events/${eventId}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => 'chosenAt' in globalThis);
  const seconds = (await page.evaluate<number>('globalThis.chosenAt')) / 1_000;
  await page.waitForLoadState('networkidle');
  const layoutShift: number = await page.evaluate(sumShifts);
  await context.close();
  return { seconds, bytes, layoutShift };
}

async function slowDown(page: Page): Promise<void> {
  const developerTools = await page.context().newCDPSession(page);
  await developerTools.send('Network.emulateNetworkConditions', slowLine);
  await developerTools.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
}
