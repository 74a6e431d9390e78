import { httpChain, jsonResponse } from '../../shared/http/chain.ts';
import { describe, okSchema } from '../../shared/http/contract.ts';

export const handler = describe(
  httpChain(async () => jsonResponse(200, { ok: true })),
  { summary: 'Whether the service answers', caller: 'anyone', response: okSchema },
);
