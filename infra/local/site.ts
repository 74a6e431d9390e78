import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { HttpResponse } from './http-response.ts';

/** The storefront's addresses and the page behind each. */
const pages: Record<string, string> = {
  '/': 'index.html',
  '/login': 'login.html',
  '/register': 'register.html',
  '/account': 'account.html',
  '/events/:id': 'event.html',
  '/orders/:id': 'order.html',
  '/tickets': 'tickets.html',
  '/notifications': 'notifications.html',
  '/organizer': 'organizer.html',
  '/organizer/events/new': 'new-event.html',
  '/organizer/events/:id': 'sales.html',
  '/organizer/check-in/:id': 'check-in.html',
};
const patterns = Object.entries(pages).map(([pathname, file]) => ({
  pattern: new URLPattern({ pathname }),
  file,
}));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Scripts and styles from this origin alone, nothing inline; events may have pictures from elsewhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const directory = path.join(import.meta.dirname, 'storefront');

/** What a shop in front of the API needs to know of its surroundings. */
export interface SiteConfiguration {
  /** The contract that new events may mint their tickets with, and its chain. */
  ticketContract: string;
  chainId: number;
}

/** The storefront: static files, as any web server would serve them. Read anew each time, so that edits show. */
export class Site {
  readonly #configuration: Buffer;

  constructor(configuration: SiteConfiguration) {
    this.#configuration = Buffer.from(JSON.stringify(configuration));
  }

  /** The answer to a request for a page or a file; undefined when there is none at that path. */
  async find(pathname: string): Promise<HttpResponse | undefined> {
    if (pathname === '/config.json') return answer('application/json', this.#configuration);
    const page = patterns.find(({ pattern }) => pattern.test({ pathname }))?.file;
    const file = path.join(directory, page ?? pathname);
    const type = types[path.extname(file)];
    if (!type || !file.startsWith(directory + path.sep)) return undefined;
    const body = await readFile(file).catch(() => undefined);
    return body && answer(type, body);
  }
}

function answer(type: string, body: Buffer): HttpResponse {
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    },
    body,
  };
}
