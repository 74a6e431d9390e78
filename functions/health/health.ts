import { http, jsonResponse, okSchema } from '../../shared/http/middleware.ts';
import { define } from '../../shared/runtime/function.ts';

export const handler = define(
  {
    route: 'GET /api/health',
    summary: 'Check that the service answers',
    caller: 'anyone',
    response: okSchema,
    memoryMegabytes: 128,
  },
  http().handler(async () => jsonResponse(200, { ok: true })),
);
