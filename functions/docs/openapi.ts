import { openApiFile } from '../../shared/docs/files.ts';
import { describe } from '../../shared/http/contract.ts';
import { fileResponse } from '../../shared/http/file.ts';
import { httpChain } from '../../shared/http/middleware.ts';

export const handler = describe(
  httpChain(async (event) => fileResponse(event, await openApiFile())),
  {
    summary: 'This document',
    caller: 'anyone',
    response: { type: 'object', description: 'OpenAPI 3.1' },
  },
);
