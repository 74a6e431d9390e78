import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { contentSecurityPolicy, embedContentSecurityPolicy } from '../../browser-policies.ts';
import { embedPath, paths } from '../../storefront/src/paths.ts';
import type { HttpResponse } from './payload.ts';

const pagePatterns = Object.values(paths).map((pathname) => new URLPattern({ pathname }));

const embedPattern = new URLPattern({ pathname: embedPath });

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The configuration of the storefront; see the storefront's config.ts. */
export interface SiteConfiguration {
  /** The name of the shop. */
  name: string;
  apiUrl: string;
  /** The contract that new events may mint their tickets with, and its chain. */
  ticketContract: string;
  chainId: number;
  /** The names and block explorers of chains, by chain id. A development chain has no explorer. */
  chains: Record<number, { name: string; explorer?: string }>;
  /** The names of the gateways in other languages, by language and gateway. */
  paymentNames: Record<string, Record<string, string>>;
  /** The wallet apps that passes are made for. */
  wallets: ('apple' | 'google')[];
}

/** The smallest file that a CDN compresses, in bytes. */
const compressedFrom = 1_000;

/** Serves the storefront's static files, as a CDN does. */
export class Site {
  readonly #directory: string;
  /** The compressed assets by path. */
  readonly #compressed = new Map<string, Buffer>();
  readonly #configuration: Buffer;
  readonly #policy: string;

  /**
   * @param directory the output folder of the storefront's build
   * @param bucketOrigin where organizers upload pictures
   */
  constructor(directory: string, configuration: SiteConfiguration, bucketOrigin: string) {
    this.#directory = directory;
    this.#policy = contentSecurityPolicy(bucketOrigin);
    this.#configuration = Buffer.from(JSON.stringify(configuration));
  }

  /**
   * Returns the page or file at a path. For an unknown path, returns the not-found page when a browser opens it, and
   * otherwise undefined. Paths of the API are never pages.
   * @param headers of the request; `accept` contains `text/html` only when a browser opens a page
   */
  async find(pathname: string, headers: IncomingHttpHeaders): Promise<HttpResponse | undefined> {
    const file = await this.#find(pathname, headers.accept);
    const isCompressed =
      /\bgzip\b/.test(`${headers['accept-encoding'] ?? ''}`) && (file?.body.length ?? 0) >= compressedFrom;
    if (!file || !isCompressed) return file;
    const body = this.#compressed.get(pathname) ?? gzipSync(file.body);
    if (pathname.startsWith('/assets/')) this.#compressed.set(pathname, body);
    return {
      ...file,
      headers: { ...file.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
      body,
    };
  }

  async #find(pathname: string, accept = ''): Promise<HttpResponse | undefined> {
    if (pathname === '/config.json') return this.#response(200, 'application/json', this.#configuration);
    if (pagePatterns.some((pattern) => pattern.test({ pathname }))) return this.#page(200, 'index.html');
    if (embedPattern.test({ pathname })) return this.#page(200, 'embed.html', embedContentSecurityPolicy);
    const file = await this.#file(pathname);
    if (file) return file;
    const isPageRequest = accept.includes('text/html') && !/^\/(api|docs)(\/|$)/.test(pathname);
    return isPageRequest ? this.#page(404, '404.html') : undefined;
  }

  async #page(status: number, name: string, policy?: string): Promise<HttpResponse> {
    const body = await readFile(path.join(this.#directory, name));
    return this.#response(status, 'text/html; charset=utf-8', body, { policy });
  }

  async #file(pathname: string): Promise<HttpResponse | undefined> {
    const file = path.join(this.#directory, pathname);
    const type = contentTypes[path.extname(file)];
    if (!type || !file.startsWith(this.#directory + path.sep)) return undefined;
    const body = await readFile(file).catch(() => undefined);
    // An asset can be cached forever, since its name contains a hash of its content.
    const cacheControl = pathname.startsWith('/assets/') ? 'max-age=31536000, immutable' : undefined;
    return body && this.#response(200, type, body, { cacheControl });
  }

  #response(
    status: number,
    type: string,
    body: Buffer,
    {
      policy = this.#policy,
      cacheControl = 'no-cache',
    }: { policy?: string | undefined; cacheControl?: string | undefined } = {},
  ): HttpResponse {
    return {
      status,
      headers: {
        'content-type': type,
        'content-security-policy': policy,
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': cacheControl,
      },
      body,
    };
  }
}
