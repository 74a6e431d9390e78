import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod';
import { type Caller, type CallerRule, identify } from './authorize.ts';
import { readJson } from './body.ts';
import { type Contract, describe } from './contract.ts';
import { httpChain, jsonResponse } from './middleware.ts';
import { validate } from './validation.ts';

/** A contract whose schemas validate: types follow from it. */
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
}

export interface Request<Rule extends CallerRule, Body, Query, Path> {
  caller: Rule extends 'anyone' ? undefined : Rule extends 'optional' ? Caller | undefined : Caller;
  body: Body;
  query: Query;
  path: Path;
  /** The address the request came from. */
  ip: string;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  /** A cookie's value. */
  cookie(name: string): string | undefined;
}

/** An answer that is more than a JSON body. A text is sent as it is, with a content type among the headers. */
export class Reply<Body> {
  readonly body: Body;
  readonly extra: { headers?: Record<string, string>; cookies?: string[] };
  constructor(body: Body, extra: { headers?: Record<string, string>; cookies?: string[] }) {
    this.body = body;
    this.extra = extra;
  }
}

/**
 * A Lambda handler made of a contract and one call: who calls is settled first (401, 403), then what was sent
 * is validated (400, 413, 415), then `run` answers. The handler carries its contract, for whoever describes or
 * tests the endpoints.
 */
export function endpoint<
  Rule extends CallerRule,
  Answer extends z.ZodType,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Path extends z.ZodType = z.ZodUndefined,
>(
  contract: EndpointContract<Rule, Answer, Body, Query, Path>,
  run: (
    request: Request<Rule, z.infer<Body>, z.infer<Query>, z.infer<Path>>,
  ) => Promise<z.infer<Answer> | Reply<z.infer<Answer> | string>>,
) {
  const handler = httpChain(async (event) => {
    const caller = await identify(contract.caller, event.headers.authorization);
    const result = await run({
      caller: caller as never,
      path: contract.path ? validate(contract.path, event.pathParameters ?? {}) : (undefined as never),
      query: contract.query
        ? validate(contract.query, event.queryStringParameters ?? {})
        : (undefined as never),
      body: contract.body ? validate(contract.body, readJson(event)) : (undefined as never),
      ip: event.requestContext.http.sourceIp,
      header: (name) => event.headers[name],
      cookie: (name) => cookieOf(event, name),
    });
    const status = contract.status ?? 200;
    return result instanceof Reply
      ? jsonResponse(status, result.body as object | string, result.extra)
      : jsonResponse(status, result as object);
  });
  return describe(handler, contract);
}

function cookieOf(event: APIGatewayProxyEventV2, name: string): string | undefined {
  const prefix = `${name}=`;
  return event.cookies?.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
}
