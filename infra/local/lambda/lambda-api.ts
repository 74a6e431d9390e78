import { createServer, type Server } from 'node:http';
import { readBody } from '../http/read-body.ts';
import type { Lambda } from './lambda.ts';

const invocationPath = /^\/2015-03-31\/functions\/([\w-]+)\/invocations$/;

/** Lambda's limit for the event of a synchronous call, in bytes. */
const eventLimit = 6 * 1024 * 1024;

/**
 * Lambda's Invoke API for synchronous calls: the request's body is the event, and the response's body the result. For a
 * failed function, the response is a 200 with the error and the header `x-amz-function-error`, as on AWS.
 */
export function createLambdaApi(lambda: Lambda): Server {
  return createServer(async (request, response) => {
    const reply = (status: number, payload: string, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(payload);
    try {
      const name = invocationPath.exec(request.url ?? '')?.[1];
      if (request.method !== 'POST' || !name || !lambda.has(name)) {
        return reply(404, JSON.stringify({ Type: 'User', Message: `Function not found: ${name}` }));
      }
      const body = await readBody(request, eventLimit);
      if (!body) {
        return reply(413, JSON.stringify({ Type: 'User', Message: `The event exceeds ${eventLimit} bytes` }));
      }
      const result = await lambda.invoke(name, JSON.parse(body.toString() || '{}'));
      if ('payload' in result) reply(200, result.payload);
      else reply(200, JSON.stringify(result.failure), { 'x-amz-function-error': 'Unhandled' });
    } catch (error) {
      reply(400, JSON.stringify({ Type: 'User', Message: (error as Error).message }));
    }
  });
}
