import { withContract } from '../../shared/http/contract.ts';
import { openApiFile } from '../../shared/http/docs/files.ts';
import { fileResponse } from '../../shared/http/file.ts';
import { http } from '../../shared/http/middleware.ts';

export const handler = withContract(
  http().handler(async (event) => fileResponse(event, await openApiFile())),
  {
    summary: 'Get this OpenAPI document',
    caller: 'anyone',
    response: { type: 'object', description: 'OpenAPI 3.1' },
  },
);
