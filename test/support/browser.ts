import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import type { Person } from './people.ts';
import { sharedStack } from './stack.ts';

/** Chromium as Debian installs it; elsewhere CHROMIUM says where it is. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const flags =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const screenshots = path.resolve(import.meta.dirname, '../../test-results/browser');

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 360, height: 740 };

let browser: Browser | undefined;

/** For a file of browser tests: one browser for all of them; without Chromium they are skipped. */
export function useBrowser(): void {
  const missing = existsSync(executablePath)
    ? undefined
    : `Skipped, since there is no Chromium at ${executablePath}: install it, or set CHROMIUM to where it is.`;
  beforeAll(async () => {
    // Not by console.log, which is heard for failed tests only.
    if (missing) process.stderr.write(`${missing}\n`);
    else browser = await chromium.launch({ executablePath, args: flags.split(' ') });
  });
  afterAll(() => browser?.close());
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
}

/** A visitor with cookies of their own. What scripts throw, and what the page's policy forbids, fails the test. */
export async function newVisitor(viewport = desktop): Promise<BrowserContext> {
  if (!browser) throw new Error('There is no browser');
  const visitor = await browser.newContext({
    viewport,
    baseURL: sharedStack().apiUrl,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  visitor.setDefaultTimeout(20_000);
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

/** A page of a new visitor who signs in as a person does, and is then where they wanted to be. */
export async function signedIn(person: Person, at = '/', viewport = desktop): Promise<Page> {
  const page = await (await newVisitor(viewport)).newPage();
  await page.goto(`/login?next=${encodeURIComponent(at)}`);
  await signIn(page, person);
  await page.waitForURL(at);
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
  await page.locator('main:not([aria-busy])').waitFor();
}

/** Keeps what the page looks like, for people to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  // Hiding the text cursor would need a style that the page's policy forbids.
  await page.screenshot({ path: path.join(screenshots, `${name}.png`), fullPage: true, caret: 'initial' });
}
