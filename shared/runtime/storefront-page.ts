import { requiredSetting } from './config.ts';
import { fetchWithRetry } from './http-client.ts';
import { log } from './log.ts';

/** The storefront's page, as its host serves it. */
export interface StorefrontPage {
  html: string;
  /** The host's headers that restrict what the page may do. */
  headers: Record<string, string>;
}

/** How long a page is used before it is read again. A new storefront is published in steps that wait longer. */
const maximumAgeMs = 10_000;
const timeLimitMs = 3_000;
const policies = ['content-security-policy', 'referrer-policy', 'x-frame-options'];

let latest: StorefrontPage | undefined;
let triedAt = 0;

/**
 * Reads index.html from the storefront's host, so that the page names the scripts that are there now. When the host does
 * not answer, the previous page is used.
 * @returns undefined when there is no previous page either
 */
export async function findStorefrontPage(): Promise<StorefrontPage | undefined> {
  // A host that does not answer is asked again after the same time, so that few requests wait for it.
  if (latest && Date.now() - triedAt < maximumAgeMs) return latest;
  triedAt = Date.now();
  try {
    latest = await fetchPage();
  } catch (error) {
    log.error('Storefront page not read', error as Error);
  }
  return latest;
}

async function fetchPage(): Promise<StorefrontPage> {
  const url = `${requiredSetting('PUBLIC_URL').replace(/\/+$/, '')}/index.html`;
  const response = await fetchWithRetry(url, { signal: AbortSignal.timeout(timeLimitMs) });
  if (!response.ok) throw new Error(`index.html: ${response.status}`);
  const headers = policies.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { html: await response.text(), headers: Object.fromEntries(headers) };
}
