import { httpChain, jsonResponse } from '../../shared/http/chain.ts';

export const handler = httpChain(async () => jsonResponse(200, { ok: true }));
