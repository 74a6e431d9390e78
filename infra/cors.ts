/** What pages of an allowed origin may send and read. Browsers refuse wildcards here, since credentials are allowed. */
export const cors = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  requestHeaders: ['authorization', 'content-type', 'idempotency-key'],
  exposedHeaders: [
    'x-error-code',
    'x-error-fields',
    'x-request-id',
    'retry-after',
    'x-next-cursor',
    'content-disposition',
  ],
  maxAgeSeconds: 600,
} as const;
