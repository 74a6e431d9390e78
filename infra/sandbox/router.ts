import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { readBody } from '../local/http/payload.ts';

/** A request to the sandbox. */
export interface Call {
  /** The path's parameters, decoded. */
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** The unparsed body. */
  text: string;
  /** The parsed body when it is JSON; otherwise an empty object. */
  // biome-ignore lint/suspicious/noExplicitAny: clients can send any JSON
  body: any;
}

export type Reply =
  | { status?: number; json: unknown }
  | { status?: number; html: string }
  | { location: string }
  /** Closes the connection without a response, as if the response were lost on its way to the client. */
  | { lost: true };

export type Handler = (call: Call) => Reply | Promise<Reply>;

/** Handlers by method and path, such as `GET /path/:name`, which sets the parameter `name`. */
export type Routes = Record<string, Handler>;

/**
 * Pages have inline styles and no scripts. There is no `form-action`, since it would also apply to the redirect after
 * the form is sent, whose target the merchant chooses.
 */
const htmlHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

/** Returns a listener that calls the handler of the first route that matches a request. */
export function createRouter(routes: Routes): RequestListener {
  const compiled = Object.entries(routes).map(([key, handler]) => {
    const [method, path = ''] = key.split(' ');
    return { method, pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`), handler };
  });
  return async (request, response) => {
    try {
      const url = new URL(request.url ?? '/', 'http://sandbox');
      for (const { method, pattern, handler } of compiled) {
        const match = method === request.method && pattern.exec(url.pathname);
        if (match) return send(response, await handler(await readCall(request, url, match.groups ?? {})));
      }
      send(response, { status: 404, json: { message: 'No such route' } });
    } catch (error) {
      send(response, { status: 400, json: { message: (error as Error).message } });
    }
  };
}

async function readCall(request: IncomingMessage, url: URL, groups: Record<string, string>): Promise<Call> {
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
