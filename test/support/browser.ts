import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from 'vitest';
import type { Person } from './people.ts';
import { executablePath, flags } from './shared-browser.ts';
import { sharedStack } from './stack.ts';

const screenshots = path.resolve(import.meta.dirname, '../../test-results/browser');

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

let browser: Browser | undefined;

/** Connects a file of browser tests to the shared browser. Without a browser the tests are skipped. */
export function useBrowser(): void {
  const address = inject('browser');
  beforeAll(async () => {
    if (address) browser = await chromium.connect(address);
  });
  afterAll(() => browser?.close());
  beforeEach(({ skip }) => skip(!address, 'There is no Chromium'));
}

/**
 * Opens a browser context with separate cookies, and with the session of `person` if given. A script error or a
 * violation of the page's policy fails the test. A test that fails prints what its pages showed.
 */
export async function openContext(
  person?: Person,
  { viewport = desktop, at = browser } = {},
): Promise<BrowserContext> {
  if (!at) throw new Error('There is no browser');
  const visitor = await at.newContext({
    viewport,
    baseURL: sharedStack().apiUrl,
    storageState: person && sessionOf(person),
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  visitor.setDefaultTimeout(60_000);
  const faults: string[] = [];
  visitor.on('weberror', (fault) => faults.push(fault.error().message));
  visitor.on('console', (line) => {
    // Scripts that the test itself runs in the page have no address.
    if (/Content Security Policy/.test(line.text()) && line.location().url) faults.push(line.text());
  });
  const failedRequests = recordFailedRequests(visitor);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await describePages(visitor), failedRequests.join('\n'));
    await visitor.close();
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  return visitor;
}

/** Returns a list that grows by each request without a response, and each response of 400 or above. */
function recordFailedRequests(visitor: BrowserContext): string[] {
  const failed: string[] = [];
  const startedAt = Date.now();
  const add = (request: Request, result: string | undefined) => {
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    failed.push(`${seconds} s: ${request.method()} ${request.url()}: ${result}`);
  };
  visitor.on('requestfailed', (request) => add(request, request.failure()?.errorText));
  visitor.on('response', (response) => {
    const code = response.headers()['x-error-code'] ?? '';
    if (response.status() >= 400) add(response.request(), `${response.status()} ${code}`);
  });
  return failed;
}

/** Returns the address and the visible text of each open page. */
async function describePages(visitor: BrowserContext): Promise<string> {
  const descriptions = visitor.pages().map(async (page) => {
    const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
    return `${page.url()} showed:\n${text.trim()}\n`;
  });
  return (await Promise.all(descriptions)).join('\n');
}

/** The stored state of a browser after signing in. */
function sessionOf({ cookie }: Person) {
  const [name = '', value = ''] = cookie.split('=');
  const { origin, hostname: domain } = new URL(sharedStack().apiUrl);
  const attributes = {
    httpOnly: true,
    secure: false,
    sameSite: 'Strict' as const,
    path: '/api/auth',
    expires: -1,
  };
  return {
    cookies: [{ name, value, domain, ...attributes }],
    origins: [{ origin, localStorage: [{ name: 'boxoffice.signed-in', value: 'yes' }] }],
  };
}

/** Opens a page of a signed-in person. Only the tests of signing in wait for the password's hash. */
export async function signedIn(person: Person, at = '/'): Promise<Page> {
  const page = await (await openContext(person)).newPage();
  await page.goto(at);
  await waitForContent(page);
  return page;
}

/** Opens a page of a signed-in person on a phone whose camera shows a film, in a separate browser. */
export async function phoneWithCamera(person: Person, at: string, film: string): Promise<Page> {
  const ownBrowser = await chromium.launch({
    executablePath,
    args: [...flags, '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`],
  });
  onTestFinished(() => ownBrowser.close());
  const visitor = await openContext(person, { viewport: phone, at: ownBrowser });
  await visitor.grantPermissions(['camera'], { origin: new URL(sharedStack().apiUrl).origin });
  const page = await visitor.newPage();
  await page.goto(at);
  await waitForContent(page);
  return page;
}

/** Fills in and submits the sign-in form. */
export async function signIn(page: Page, { user, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(user.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Waits until the page of the storefront has loaded its content. */
export async function waitForContent(page: Page): Promise<void> {
  await page.locator('main:not(:has([aria-busy]))').waitFor();
}

/** Waits in the page until all pictures are loaded, lazy ones included. */
const loadPictures = `Promise.all(
  [...document.images].map((image) => {
    image.loading = 'eager';
    return image.decode().catch(() => {});
  }),
)`;

/** Saves a screenshot for review: the whole page, or the visible part. */
export async function screenshot(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.evaluate(loadPictures);
  // Hiding the text cursor would need a style that the page's policy forbids.
  await page.screenshot({ path: path.join(screenshots, `${name}.png`), fullPage, caret: 'initial' });
}
