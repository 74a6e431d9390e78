import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { readBody } from '../local/read-body.ts';

export interface Call {
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** The body's exact text. */
  text: string;
  /** The body as JSON, or an empty object. */
  // biome-ignore lint/suspicious/noExplicitAny: clients can send any JSON
  body: any;
}

export type Reply =
  | { status?: number; json: unknown }
  | { status?: number; html: string }
  | { location: string }
  /** The work is done, but the connection closes without a response. */
  | { lost: true };

export type Handler = (call: Call) => Reply | Promise<Reply>;

/** Handlers by method and path, such as `GET /path/:name`. */
export type Routes = Record<string, Handler>;

/** Pages have inline style and no scripts. Form targets are unrestricted, since merchants choose the redirects. */
const htmlHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

/** Dispatches requests to the handlers of a table of routes. */
export function router(routes: Routes): RequestListener {
  const table = Object.entries(routes).map(([key, handler]) => {
    const [method, path = ''] = key.split(' ');
    return { method, pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`), handler };
  });
  return async (request, response) => {
    try {
      const url = new URL(request.url ?? '/', 'http://sandbox');
      for (const { method, pattern, handler } of table) {
        const match = method === request.method && pattern.exec(url.pathname);
        if (match) return send(response, await handler(await call(request, url, match.groups ?? {})));
      }
      send(response, { status: 404, json: { message: 'No such route' } });
    } catch (error) {
      send(response, { status: 400, json: { message: (error as Error).message } });
    }
  };
}

async function call(request: IncomingMessage, url: URL, groups: Record<string, string>): Promise<Call> {
  const text = (await readBody(request, 1024 * 1024))?.toString('utf8') ?? '';
  const isJson = request.headers['content-type']?.includes('json') || text.startsWith('{');
  const params = Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]);
  return {
    params: Object.fromEntries(params),
    query: url.searchParams,
    headers: request.headers,
    text,
    body: isJson && text ? JSON.parse(text) : {},
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (response.headersSent) return;
  if ('lost' in reply) response.destroy();
  else if ('location' in reply) response.writeHead(303, { location: reply.location }).end();
  else if ('html' in reply) {
    response.writeHead(reply.status ?? 200, htmlHeaders).end(reply.html);
  } else {
    response
      .writeHead(reply.status ?? 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(reply.json));
  }
}
