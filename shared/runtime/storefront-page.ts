import { requiredSetting } from './config.ts';
import { fetchWithRetry } from './retry.ts';
import { log } from './telemetry.ts';

/** The storefront's page, as its host serves it. */
export interface StorefrontPage {
  html: string;
  /** The host's headers that restrict what the page may do. */
  headers: Record<string, string>;
}

/**
 * How long a page is used before it is read again. Publishing a new storefront waits longer than this before it deletes
 * the previous scripts.
 */
const maximumAgeMilliseconds = 10_000;
const timeLimitMilliseconds = 3_000;
const policyHeaders = ['content-security-policy', 'referrer-policy', 'x-frame-options'];

/** The result of the latest attempt to read the page. */
let latestPage: Promise<StorefrontPage | undefined> = Promise.resolve(undefined);
let latestAttemptAt = 0;

/**
 * Reads index.html from the storefront's host, so that the page refers to the current scripts. When the host does not
 * answer, the previous page is used.
 * @returns undefined when there is no previous page either
 */
export function findStorefrontPage(): Promise<StorefrontPage | undefined> {
  // Failed attempts count too, so that few requests wait for a host that is down.
  if (Date.now() - latestAttemptAt >= maximumAgeMilliseconds) {
    latestAttemptAt = Date.now();
    latestPage = readPage(latestPage);
  }
  return latestPage;
}

async function readPage(
  previousPage: Promise<StorefrontPage | undefined>,
): Promise<StorefrontPage | undefined> {
  try {
    return await fetchPage();
  } catch (error) {
    log.error('Storefront page not read', error as Error);
    return previousPage;
  }
}

async function fetchPage(): Promise<StorefrontPage> {
  const url = `${requiredSetting('PUBLIC_URL')}/index.html`;
  const response = await fetchWithRetry(url, { signal: AbortSignal.timeout(timeLimitMilliseconds) });
  if (!response.ok) throw new Error(`index.html: ${response.status}`);
  const headers = policyHeaders.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { html: await response.text(), headers: Object.fromEntries(headers) };
}
