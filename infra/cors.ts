/**
 * The CORS rules for allowed origins. They name each method and header, since browsers ignore wildcards in responses
 * that allow credentials.
 */
export const cors = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  requestHeaders: ['authorization', 'content-type', 'idempotency-key'],
  exposedHeaders: [
    // The storefront reads the service's time from it, since the visitor's clock may be wrong.
    'date',
    'x-error-code',
    'x-error-fields',
    'x-request-id',
    'retry-after',
    'x-next-cursor',
    'content-disposition',
  ],
  maxAgeSeconds: 600,
} as const;
