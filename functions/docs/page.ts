import { referencePage } from '../../shared/http/docs/files.ts';
import { fileResponse } from '../../shared/http/file.ts';
import { http } from '../../shared/http/middleware.ts';
import { define } from '../../shared/runtime/function.ts';

/** Serves the interactive API reference. */
export const handler = define(
  { route: 'GET /docs', memoryMegabytes: 256 },
  http().handler(async (event) => fileResponse(event, await referencePage())),
);
