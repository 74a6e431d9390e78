import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { contentSecurityPolicy } from '../../content-security-policy.ts';
import { paths } from '../../storefront/src/paths.ts';
import type { HttpResponse } from './http-response.ts';

const pages = Object.values(paths).map((pathname) => new URLPattern({ pathname }));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The configuration of the storefront; see the storefront's config.ts. */
export interface SiteConfiguration {
  apiUrl: string;
  /** The contract that new events may mint their tickets with, and its chain. */
  ticketContract: string;
  chainId: number;
  /** How chains are called, by chain id; a development chain has no block explorer. */
  chains: Record<number, { name: string; explorer?: string }>;
}

/** The storefront: static files, as any web server would serve them. */
export class Site {
  readonly #directory: string;
  readonly #configuration: Buffer;

  /** @param directory where the storefront was built */
  constructor(directory: string, configuration: SiteConfiguration) {
    this.#directory = directory;
    this.#configuration = Buffer.from(JSON.stringify(configuration));
  }

  /**
   * Returns the response to a request for a page or a file. For a browser that opens an unknown address, it is the
   * not-found page. Returns undefined for requests to the API.
   * @param accept the request's header: only browsers that open a page ask for HTML
   */
  async find(pathname: string, accept = ''): Promise<HttpResponse | undefined> {
    if (pathname === '/config.json') return answer(200, 'application/json', this.#configuration);
    if (pages.some((pattern) => pattern.test({ pathname }))) return this.#page(200, 'index.html');
    const file = await this.#file(pathname);
    if (file) return file;
    const isOpened = accept.includes('text/html') && !/^\/(api|docs)(\/|$)/.test(pathname);
    return isOpened ? this.#page(404, '404.html') : undefined;
  }

  async #page(status: number, name: string): Promise<HttpResponse> {
    return answer(status, 'text/html; charset=utf-8', await readFile(path.join(this.#directory, name)));
  }

  async #file(pathname: string): Promise<HttpResponse | undefined> {
    const file = path.join(this.#directory, pathname);
    const type = types[path.extname(file)];
    if (!type || !file.startsWith(this.#directory + path.sep)) return undefined;
    const body = await readFile(file).catch(() => undefined);
    // The name of an asset contains a hash of its content.
    return (
      body &&
      answer(200, type, body, pathname.startsWith('/assets/') ? 'max-age=31536000, immutable' : undefined)
    );
  }
}

function answer(status: number, type: string, body: Buffer, cacheControl = 'no-cache'): HttpResponse {
  return {
    status,
    headers: {
      'content-type': type,
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': cacheControl,
    },
    body,
  };
}
