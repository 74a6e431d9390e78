import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import { forbidden, unauthenticated } from '../core/errors.ts';
import { optionalSetting } from '../runtime/config.ts';
import { define } from '../runtime/function.ts';
import { hasAcceptedValue } from '../runtime/secrets.ts';
import { type AccessClaims, verifyAccessToken } from '../runtime/tokens.ts';
import type { CallerRule, Contract } from './contract.ts';
import { http, jsonResponse, type Middleware, type Parsed, parseRequest, readJson } from './middleware.ts';

/** A contract with Zod schemas, which determine the types of the request and the response. */
interface EndpointContract<
  Rule extends CallerRule,
  Answer extends z.ZodType,
  Body extends z.ZodType,
  Query extends z.ZodType,
  Path extends z.ZodType,
> extends Contract {
  caller: Rule;
  response: Answer;
  body?: Body;
  query?: Query;
  path?: Path;
  fresh?: (caller: CallerOf<Rule>, body: z.infer<Body>, path: z.infer<Path>) => Promise<void> | undefined;
}

export interface Request<Rule extends CallerRule, Body, Query, Path> extends Parsed<Body, Query, Path> {
  caller: CallerOf<Rule>;
  /** The source address of the connection. Behind a CDN this is the CDN's: see `readViewerAddress`. */
  ip: string;
  /** Returns a header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** Returns a cookie's value. */
  cookie(name: string): string | undefined;
}

/** A response with headers or cookies. A string is sent unchanged and needs a content type in the headers. */
export class Reply<Body> {
  readonly body: Body;
  readonly extra: { headers?: Record<string, string>; cookies?: string[] };
  constructor(body: Body, extra: { headers?: Record<string, string>; cookies?: string[] }) {
    this.body = body;
    this.extra = extra;
  }
}

/** A temporary redirect (307). Clients cache it only when `headers` allow it. */
export class Redirect {
  readonly headers: Record<string, string>;
  constructor(location: string, headers: Record<string, string> = {}) {
    this.headers = { ...headers, location };
  }
}

/**
 * Makes a Lambda handler from a contract and a function. Middlewares authenticate the caller (401, 403) and validate
 * the request (400, 413, 415). Then `run` returns the response. The contract is attached to the handler.
 */
export function endpoint<
  Rule extends CallerRule,
  Answer extends z.ZodType<object | string>,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Path extends z.ZodType = z.ZodUndefined,
>(
  contract: EndpointContract<Rule, Answer, Body, Query, Path>,
  run: (
    request: Request<Rule, z.infer<Body>, z.infer<Query>, z.infer<Path>>,
  ) => Promise<z.infer<Answer> | Reply<z.infer<Answer> | string | Buffer> | Redirect>,
) {
  const handler = http()
    .use(requireFront())
    .use(authenticate(contract))
    .use(parseRequest(contract))
    .handler(async (event) => {
      await contract.fresh?.(event.caller, event.parsed.body, event.parsed.path);
      const result = await run({
        caller: event.caller,
        ...event.parsed,
        ip: event.requestContext.http.sourceIp,
        header: (name) => event.headers[name],
        cookie: (name) => findCookie(event, name),
      });
      if (result instanceof Redirect) return { statusCode: 307, headers: result.headers };
      const { body, extra } = result instanceof Reply ? result : new Reply(result, {});
      return jsonResponse(contract.status ?? 200, body, extra);
    });
  return define(contract, handler);
}

function findCookie(event: APIGatewayProxyEventV2, name: string): string | undefined {
  const prefix = `${name}=`;
  return event.cookies?.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
}

/**
 * Returns a middleware that refuses requests that did not come through CloudFront, and so through its firewall, on stages
 * with a front. @throws DomainError 403
 */
export function requireFront(): Middleware {
  return {
    before: async ({ event }) => {
      if (optionalSetting('REQUIRE_FRONT') !== 'true') return;
      if (await hasAcceptedValue('ORIGIN_SECRET', event.headers['x-origin-secret'] ?? '')) return;
      throw forbidden('Use the address of the website', 'front-required');
    },
  };
}

/** The caller of a request that a rule admits. */
type CallerOf<Rule extends CallerRule> = Rule extends 'anyone'
  ? undefined
  : Rule extends 'optional' | 'guest'
    ? AccessClaims | undefined
    : AccessClaims;

/** The parts of a contract that decide who may call. */
type Admission<Rule extends CallerRule> = { caller: Rule } & Pick<Contract, 'orderToken' | 'apiKey'>;

/**
 * Returns a middleware that adds the caller whom the access token identifies.
 * @throws DomainError 401 without a valid token, 403 when the role does not suffice
 */
function authenticate<Rule extends CallerRule>(
  admission: Admission<Rule>,
): Middleware<{ caller: CallerOf<Rule> }> {
  return {
    before: async ({ event }) => {
      event.caller = await identifyCaller(admission, event);
    },
  };
}

async function identifyCaller<Rule extends CallerRule>(
  admission: Admission<Rule>,
  event: APIGatewayProxyEventV2,
): Promise<CallerOf<Rule>>;
async function identifyCaller(
  { caller: rule, orderToken, apiKey }: Admission<CallerRule>,
  event: APIGatewayProxyEventV2,
): Promise<AccessClaims | undefined> {
  const { authorization } = event.headers;
  if (rule === 'anyone' || (rule === 'optional' && !authorization)) return undefined;
  if (rule === 'guest' && !authorization && namesCustomer(event)) return undefined;
  const accessToken = /^Order ([^\s]+)$/i.exec(authorization ?? '')?.[1];
  if (orderToken && accessToken) return orderToken(accessToken, event.pathParameters ?? {});
  const token = /^Bearer ([^\s]+)$/i.exec(authorization ?? '')?.[1];
  if (!token) throw unauthenticated('Authentication required');
  if (token.startsWith('bxo_')) {
    if (!apiKey) throw forbidden('API keys may not do this', 'scope-missing');
    return apiKey.verify(token, findEventId(event));
  }
  const caller = await verifyAccessToken(token);
  if (rule === 'organizer' && caller.role === 'USER') throw forbidden('Only organizers may do this');
  if (rule === 'admin' && caller.role !== 'ADMIN') throw forbidden('Only administrators may do this');
  return caller;
}

/** Returns the id of the event in a request's path. */
function findEventId({ routeKey, pathParameters }: APIGatewayProxyEventV2): string | undefined {
  return routeKey.includes('/events/{id}') ? pathParameters?.id : undefined;
}

/** Returns whether the body of a request names a customer. Other bodies need an access token. */
function namesCustomer(event: APIGatewayProxyEventV2): boolean {
  try {
    const body = readJson(event) as { customer?: unknown } | null;
    return Boolean(body?.customer);
  } catch {
    return false;
  }
}

/**
 * Returns the client's IP address for rate limits. An IPv6 address is reduced to its /64 network, since a customer of
 * an internet provider has at least a /64 network. Behind CloudFront, the client's address is in `x-viewer-address`.
 * The header is trusted only with the secret that CloudFront adds, since callers of the API's own address can send any
 * header. During a rotation the secret is a list, here and at CloudFront: one common value suffices, so that it does not
 * matter which of the two has the new list first.
 */
export async function readViewerAddress({
  ip,
  header,
}: Pick<Request<never, never, never, never>, 'ip' | 'header'>): Promise<string> {
  const viewer = header('x-viewer-address');
  const givenSecret = header('x-origin-secret');
  if (!viewer || !givenSecret) return toNetwork(ip);
  return toNetwork((await hasAcceptedValue('ORIGIN_SECRET', givenSecret)) ? viewer : ip);
}

function toNetwork(address: string): string {
  // An IPv4 address, or one mapped to IPv6.
  if (!address.includes(':') || address.includes('.')) return address;
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array(Math.max(0, 8 - start.length - end.length)).fill('0');
  const groups = [...start, ...zeros, ...end];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
