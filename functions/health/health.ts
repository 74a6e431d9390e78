import { describe, okSchema } from '../../shared/http/contract.ts';
import { httpChain, jsonResponse } from '../../shared/http/middleware.ts';

export const handler = describe(
  httpChain(async () => jsonResponse(200, { ok: true })),
  { summary: 'Whether the service answers', caller: 'anyone', response: okSchema },
);
