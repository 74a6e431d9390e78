import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it, vi } from 'vitest';
import { functions, isBehindFront, readFunctions } from '../../infra/functions.ts';
import { Routes } from '../../infra/local/http/routes.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { readOperations } from '../../infra/openapi/operations.ts';
import { reachableFrom } from './imports.ts';
import { getFunction, stages, synthesize } from './stack/synthesized.ts';

// Below the repository, so that the file's imports of packages resolve.
const folder = mkdtempSync(path.join(import.meta.dirname, 'local', 'functions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const source = `
import * as z from 'zod';
import { endpoint } from '../../../../../shared/http/endpoint.ts';
export const handler = endpoint(
  {
    route: 'GET /api/echo/{text}',
    summary: 'Return a text',
    caller: 'user',
    path: z.object({ text: z.string() }),
    response: z.object({ text: z.string() }),
    errors: ['event-not-found'],
    table: ['GetItem'],
    secrets: ['CHECK_IN_SECRET'],
    timeoutSeconds: 7,
  },
  async ({ path }) => path,
);
`;

it('a new file in functions/ is an endpoint of the stack, the API document and the local routes', async () => {
  mkdirSync(path.join(folder, 'echo'));
  writeFileSync(path.join(folder, 'echo', 'return-text.ts'), source);
  const rows = readFunctions(folder);
  expect(rows).toEqual([
    {
      entry: 'echo/return-text',
      trigger: { route: 'GET /api/echo/{text}' },
      table: ['GetItem'],
      // The caller implies the first.
      secrets: ['JWT_ACCESS_SECRET', 'CHECK_IN_SECRET'],
      timeoutSeconds: 7,
      memoryMegabytes: 512,
    },
  ]);

  const routes = new Routes([...functions, ...rows]);
  expect(routes.find('GET', '/api/echo/hello')).toMatchObject({ functionName: 'echo-return-text' });

  const operations = await readOperations(rows, folder);
  const { paths } = openApiDocument(operations, { version: '1', license: 'MIT' });
  expect(paths['/api/echo/{text}']?.get).toMatchObject({ summary: 'Return a text' });

  const stack = synthesize(stages.dev, {}, [...functions, ...rows]);
  const routeKeys = stack.ofType('AWS::ApiGatewayV2::Route').map(({ properties }) => properties.RouteKey);
  expect(routeKeys).toContain('GET /api/echo/{text}');
  expect(getFunction(stack, 'echo/return-text').properties).toMatchObject({ Timeout: 7, MemorySize: 512 });
});

it('every function that writes notifications has the setting RETENTION_DAYS', () => {
  const writers = functions.filter(
    ({ entry, table }) =>
      reachableFrom(`functions/${entry}.ts`).has('shared/messaging/notifications/store.ts') &&
      table.some((action) => /^(Put|BatchWrite)Item$/.test(action)),
  );
  expect(writers.length).toBeGreaterThan(5);
  for (const { entry, settings } of writers) expect(settings, entry).toContain('RETENTION_DAYS');
});

it('every function behind the front refuses a request without CloudFront’s secret, before anything else', async () => {
  vi.stubEnv('REQUIRE_FRONT', 'true');
  vi.stubEnv('ORIGIN_SECRET', 'the secret of CloudFront');
  const rows = functions.filter(isBehindFront);
  expect(rows.length).toBeGreaterThan(60);
  for (const { entry } of rows) {
    const { handler } = await import(pathToFileURL(path.resolve('functions', `${entry}.ts`)).href);
    const event = { headers: {}, requestContext: { requestId: 'r1', http: { sourceIp: '127.0.0.1' } } };
    expect((await handler(event, { getRemainingTimeInMillis: () => 10_000 })).statusCode, entry).toBe(403);
  }
  vi.unstubAllEnvs();
});
