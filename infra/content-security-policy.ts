/**
 * The storefront's content security policy, deployed and local. It allows scripts and styles of the storefront's origin
 * only, none inline. It allows images from any HTTPS origin, since organizers choose the image URLs of their events.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
