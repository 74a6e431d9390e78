import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished } from 'vitest';
import type { Person } from './fixtures.ts';
import { executablePath, flags } from './global-setup.ts';
import { sharedStack } from './stack.ts';

const screenshots = path.resolve(import.meta.dirname, '../../test-results/browser');

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

let browser: Browser | undefined;

/** Connects a test file to the shared browser. Its tests are skipped when there is none. */
export function useBrowser(): void {
  const address = inject('browser');
  beforeAll(async () => {
    if (address) browser = await chromium.connect(address);
  });
  afterAll(() => browser?.close());
  beforeEach(({ skip }) => skip(!address, 'There is no Chromium'));
}

/**
 * Opens a browser context with its own cookies, signed in as `person` if given. The test fails on a script error or a
 * violation of the content security policy. A test that fails prints what its pages showed.
 */
export async function openContext(
  person?: Person,
  { viewport = desktop, locale = 'en-GB', browser: openedBrowser = browser } = {},
): Promise<BrowserContext> {
  if (!openedBrowser) throw new Error('There is no browser');
  const context = await openedBrowser.newContext({
    viewport,
    baseURL: sharedStack().apiUrl,
    storageState: person && toStorageState(person),
    locale,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(120_000);
  const problems: string[] = [];
  context.on('weberror', (webError) => problems.push(webError.error().message));
  context.on('console', (line) => {
    // Scripts that the test runs in the page have no address. They are allowed to violate the policy.
    if (/Content Security Policy/.test(line.text()) && line.location().url) problems.push(line.text());
  });
  const failedRequests = recordFailedRequests(context);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await describePages(context), failedRequests.join('\n'));
    // A request may be in a route's handler, which would fail when the context closes.
    const routed = [context, ...context.pages()];
    await Promise.all(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
    await context.close();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  return context;
}

/** Returns a list that grows by each request without a response, and each response of 400 or above. */
function recordFailedRequests(context: BrowserContext): string[] {
  const failed: string[] = [];
  const startedAt = Date.now();
  const add = (request: Request, result: string | undefined) => {
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    failed.push(`${seconds} s: ${request.method()} ${request.url()}: ${result}`);
  };
  context.on('requestfailed', (request) => add(request, request.failure()?.errorText));
  context.on('response', (response) => {
    const code = response.headers()['x-error-code'] ?? '';
    if (response.status() >= 400) add(response.request(), `${response.status()} ${code}`);
  });
  return failed;
}

/** Returns the address and the visible text of each open page. */
async function describePages(context: BrowserContext): Promise<string> {
  const descriptions = context.pages().map(async (page) => {
    const text = await page.locator('body').innerText({ timeout: 5_000 }).catch(String);
    return `${page.url()} showed:\n${text.trim()}\n`;
  });
  return (await Promise.all(descriptions)).join('\n');
}

/** Returns a browser's stored state after signing in. */
function toStorageState({ cookie }: Person) {
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

/**
 * Opens a page as a signed-in person. Uses the session's cookie, since the sign-in form is slow: it hashes the
 * password.
 */
export async function openPageAs(person: Person, path = '/'): Promise<Page> {
  const page = await (await openContext(person)).newPage();
  await page.goto(path);
  await waitForContent(page);
  return page;
}

/**
 * Opens a page as a signed-in person on a phone, in a separate browser.
 * @param film the file that the camera shows (camera.ts)
 */
export async function openPhoneWithCamera(person: Person, path: string, film: string): Promise<Page> {
  const ownBrowser = await chromium.launch({
    executablePath,
    args: [...flags, '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`],
  });
  onTestFinished(() => ownBrowser.close());
  const context = await openContext(person, { viewport: phone, browser: ownBrowser });
  await context.grantPermissions(['camera'], { origin: new URL(sharedStack().apiUrl).origin });
  const page = await context.newPage();
  await page.goto(path);
  await waitForContent(page);
  return page;
}

/** Fills in and submits the sign-in form. */
export async function signIn(page: Page, { user, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(user.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The button of an event's page that orders the chosen tickets. */
export const orderButton = (page: Page) => page.getByRole('button', { name: /^(Pay|Get tickets)\b/ });

/** Waits until the page of the storefront has loaded its content. */
export async function waitForContent(page: Page): Promise<void> {
  await page.locator('body:not([aria-busy]) main:not(:has([aria-busy]))').waitFor();
}

/** A script that waits until all pictures of its page are loaded, lazy ones included. */
const loadPicturesScript = `Promise.all(
  [...document.images].map((image) => {
    image.loading = 'eager';
    return image.decode().catch(() => {});
  }),
)`;

/**
 * Saves a screenshot for review, of the whole page or the visible part, where SCREENSHOTS is set: drawing all of them takes
 * minutes of a processor, and no test reads them.
 */
export async function screenshot(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(screenshots, { recursive: true });
  await page.evaluate(loadPicturesScript);
  // Hiding the text cursor would need a style that the page's policy forbids.
  await page.screenshot({ path: path.join(screenshots, `${name}.png`), fullPage, caret: 'initial' });
}

// biome-ignore lint/suspicious/noExplicitAny: the parameters depend on the method
type RequestHandler = (method: string, params: any[]) => unknown;

/** Error codes of wallets: EIP-1193, EIP-3326 for an unknown chain, and JSON-RPC for an internal error. */
export const walletErrors = { declined: 4001, unknownChain: 4902, internal: -32603 } as const;

/** A wallet's refusal of a request: https://eips.ethereum.org/EIPS/eip-1193#provider-errors */
export class WalletRefusal extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`Refused by the wallet: ${code}`);
    this.code = code;
  }
}

/**
 * Adds a wallet to the pages of a browser context, as browser extensions do (EIP-1193).
 * @param handle responds to requests; throws WalletRefusal to refuse one
 */
export async function installWallet(context: BrowserContext, handle: RequestHandler): Promise<void> {
  await context.exposeFunction('askWallet', async (method: string, params: unknown[] = []) => {
    try {
      return { result: await handle(method, params) };
    } catch (error) {
      if (!(error instanceof WalletRefusal)) throw error;
      return { refusal: { code: error.code, message: error.message } };
    }
  });
  await context.addInitScript(`globalThis.ethereum = {
    async request({ method, params }) {
      const { result, refusal } = await askWallet(method, params);
      if (refusal) throw refusal;
      return result;
    },
  };`);
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the accessibility violations that axe finds on the page. */
async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate<AxeResults>('axe.run()');
  expect(passes.length).toBeGreaterThan(5);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
}

/**
 * Expects that a page is not wider than the screen, also with letters of twice the size, and has no accessibility
 * violations, on a desktop in light colours and on a phone in dark colours. Saves a screenshot of each.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [colorScheme, viewport] of [
    ['light', desktop],
    ['dark', phone],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await screenshot(page, `${name}-${colorScheme}`);
    for (const size of ['200%', '']) {
      await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width, `with letters of ${size || 'the usual size'}`).toBeLessThanOrEqual(viewport.width);
    }
    expect(await findViolations(page)).toEqual([]);
  }
}

/** The steps of the form of an event. */
export const formSteps = ['Event', 'Place and time', 'Tickets', 'Questions and rules', 'Preview'] as const;

/** Opens a step of the form of an event. Of a new event, passes the steps before it, whose fields have to be valid. */
export async function openStep(page: Page, title: (typeof formSteps)[number]): Promise<void> {
  const stepButton = (each: string) =>
    page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: each, exact: true });
  for (const each of formSteps.slice(1, formSteps.indexOf(title) + 1)) {
    if (await stepButton(each).isDisabled()) await page.getByRole('button', { name: 'Next' }).click();
    await stepButton(each).and(page.locator(':enabled')).waitFor();
  }
  await stepButton(title).click();
}

/** Fills the required fields of the form of a new event, and opens its last step. */
export async function fillEvent(page: Page, title: string): Promise<void> {
  const field = (name: string) => page.getByLabel(name, { exact: true });
  await field('Title').fill(title);
  await openStep(page, 'Place and time');
  await field('Venue').fill('Club');
  await field('Begins').fill('2031-06-01T20:30');
  await openStep(page, 'Tickets');
  await field('Name').fill('Floor');
  await page.getByLabel(/^Price in/).fill('10');
  await field('Tickets').fill('5');
  await openStep(page, 'Preview');
}
