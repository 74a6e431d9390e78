import { createServer, type Server } from 'node:http';
import { readBody } from '../http/read-body.ts';
import type { Lambda } from './lambda.ts';

const path = /^\/2015-03-31\/functions\/([\w-]+)\/invocations$/;

/**
 * Lambda's Invoke API for synchronous calls: POST the event, receive the result. A failed function's response is a 200
 * with its error and the header `x-amz-function-error`, as on AWS.
 */
export function lambdaApi(lambda: Lambda): Server {
  return createServer(async (request, response) => {
    const reply = (status: number, payload: string, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(payload);
    try {
      const name = path.exec(request.url ?? '')?.[1];
      if (request.method !== 'POST' || !name || !lambda.has(name)) {
        return reply(404, JSON.stringify({ Type: 'User', Message: `Function not found: ${name}` }));
      }
      const body = await readBody(request, 6 * 1024 * 1024);
      const answer = await lambda.invoke(name, JSON.parse(body?.toString() || '{}'));
      if ('payload' in answer) reply(200, answer.payload);
      else reply(200, JSON.stringify(answer.failure), { 'x-amz-function-error': 'Unhandled' });
    } catch (error) {
      reply(400, JSON.stringify({ Type: 'User', Message: (error as Error).message }));
    }
  });
}
