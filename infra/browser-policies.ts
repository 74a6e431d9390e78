/**
 * The CORS rules for allowed origins. They name each method and header, since browsers ignore wildcards in responses
 * that allow credentials.
 */
export const cors = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  requestHeaders: ['authorization', 'content-type', 'idempotency-key', 'x-queue-ticket'],
  exposedHeaders: [
    // The storefront reads the service's time from it, since the visitor's clock may be wrong.
    'date',
    'x-error-code',
    'x-error-fields',
    'x-error-tier',
    'x-queue-position',
    'x-confirm-with',
    'x-request-id',
    'retry-after',
    'x-next-cursor',
    'x-pages',
    'content-disposition',
  ],
  maxAgeSeconds: 600,
} as const;

/** @param uploads the origins besides its own that a page may send to */
const directives = (...uploads: string[]) => [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  ["connect-src 'self'", ...uploads].join(' '),
  // The check-in page works without network, and can be installed.
  "worker-src 'self'",
  "manifest-src 'self'",
  "img-src 'self' data: https:",
  "form-action 'self'",
  "base-uri 'none'",
];

/**
 * Returns the storefront's content security policy, deployed and local. It allows scripts and styles of the storefront's
 * origin only, none inline. It allows images from any HTTPS origin, since organizers choose the image URLs of their events. No
 * other site may show these pages in a frame.
 * @param bucketOrigin where organizers upload pictures
 */
export const contentSecurityPolicy = (bucketOrigin: string) =>
  [...directives(bucketOrigin), "frame-ancestors 'none'"].join('; ');

/** The policy of the page that organizers show in a frame on their own sites. */
export const embedContentSecurityPolicy = [...directives(), 'frame-ancestors *'].join('; ');
