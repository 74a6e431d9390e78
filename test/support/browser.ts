import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from 'vitest';
import type { Person } from './people.ts';
import { executablePath, flags } from './shared-browser.ts';
import { sharedStack } from './stack.ts';

const screenshots = path.resolve(import.meta.dirname, '../../test-results/browser');

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

let browser: Browser | undefined;

/** For a file of browser tests: takes the browser that all of them share; without one they are skipped. */
export function useBrowser(): void {
  const address = inject('browser');
  beforeAll(async () => {
    if (address) browser = await chromium.connect(address);
  });
  afterAll(() => browser?.close());
  beforeEach(({ skip }) => skip(!address, 'There is no Chromium'));
}

/** A visitor, with cookies of their own; with a person's session where one is given. What scripts throw, and what the page's policy forbids, fails the test. */
export async function newVisitor(
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
    // What a test itself lets run in the page has no address.
    if (/Content Security Policy/.test(line.text()) && line.location().url) faults.push(line.text());
  });
  onTestFinished(async () => {
    await visitor.close();
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  return visitor;
}

/** What the browser keeps of somebody who has signed in before. */
function sessionOf({ cookie }: Person) {
  const [name = '', value = ''] = cookie.split('=');
  const { origin, hostname: domain } = new URL(sharedStack().apiUrl);
  const kept = { httpOnly: true, secure: false, sameSite: 'Strict' as const, path: '/api/auth', expires: -1 };
  return {
    cookies: [{ name, value, domain, ...kept }],
    origins: [{ origin, localStorage: [{ name: 'boxoffice.signed-in', value: 'yes' }] }],
  };
}

/** A page of somebody who has signed in before: no test but those of signing in waits for the password's hash. */
export async function signedIn(person: Person, at = '/'): Promise<Page> {
  const page = await (await newVisitor(person)).newPage();
  await page.goto(at);
  await isFilled(page);
  return page;
}

/** A phone whose camera sees a film, in a browser of its own, with a page of somebody who has signed in before. */
export async function phoneWithCamera(person: Person, at: string, film: string): Promise<Page> {
  const own = await chromium.launch({
    executablePath,
    args: [...flags, '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`],
  });
  onTestFinished(() => own.close());
  const visitor = await newVisitor(person, { viewport: phone, at: own });
  await visitor.grantPermissions(['camera'], { origin: new URL(sharedStack().apiUrl).origin });
  const page = await visitor.newPage();
  await page.goto(at);
  await isFilled(page);
  return page;
}

/** Fills the form that is shown to those who have to sign in. */
export async function signIn(page: Page, { user, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(user.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Until the storefront's page shows what it has to show. */
export async function isFilled(page: Page): Promise<void> {
  await page.locator('main:not(:has([aria-busy]))').waitFor();
}

/** In the page: until the pictures are there, also those that wait to be looked at. */
const picturesShown = `Promise.all(
  [...document.images].map((image) => {
    image.loading = 'eager';
    return image.decode().catch(() => {});
  }),
)`;

/** Keeps what the page looks like, for people to look at: all of it, or what the window shows. */
export async function screenshot(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.evaluate(picturesShown);
  // Hiding the text cursor would need a style that the page's policy forbids.
  await page.screenshot({ path: path.join(screenshots, `${name}.png`), fullPage, caret: 'initial' });
}
