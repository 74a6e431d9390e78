import { httpChain } from '../../shared/http/chain.ts';

/** Answers the preflights of browsers. API Gateway adds the CORS headers. */
export const handler = httpChain(async () => ({ statusCode: 204 }));
