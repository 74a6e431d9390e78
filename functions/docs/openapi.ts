import { openApiFile } from '../../shared/http/docs/files.ts';
import { fileResponse } from '../../shared/http/file.ts';
import { http } from '../../shared/http/middleware.ts';
import { define } from '../../shared/runtime/function.ts';

export const handler = define(
  {
    route: 'GET /api/openapi.json',
    summary: 'Get this OpenAPI document',
    caller: 'anyone',
    response: { type: 'object', description: 'OpenAPI 3.1' },
    memoryMegabytes: 256,
  },
  http().handler(async (event) => fileResponse(event, await openApiFile())),
);
