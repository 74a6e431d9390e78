import { http } from '../../shared/http/middleware.ts';
import { define } from '../../shared/runtime/function.ts';

/**
 * Answers the preflights of browsers. API Gateway adds the CORS headers. `$default` matches OPTIONS too, so without this
 * route it would receive the preflights instead of API Gateway:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export const handler = define(
  { route: 'OPTIONS /{proxy+}' },
  http().handler(async () => ({ statusCode: 204 })),
);
