import { okSchema, withContract } from '../../shared/http/contract.ts';
import { http, jsonResponse } from '../../shared/http/middleware.ts';

export const handler = withContract(
  http().handler(async () => jsonResponse(200, { ok: true })),
  { summary: 'Check that the service answers', caller: 'anyone', response: okSchema },
);
