import { http } from '../../shared/http/middleware.ts';

/** Answers the preflights of browsers. API Gateway adds the CORS headers. */
export const handler = http().handler(async () => ({ statusCode: 204 }));
