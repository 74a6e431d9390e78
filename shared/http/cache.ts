import type { AccessClaims } from '../runtime/tokens.ts';

/**
 * Returns the caching headers of a public response. A CDN may cache it for two seconds, and browsers may not. Responses
 * to callers with a token are never cached, so that callers see their own changes at once.
 */
export function publicCaching(caller: AccessClaims | undefined): Record<string, string> {
  return caller ? {} : { ...sharedCaching, vary: 'authorization' };
}

/**
 * Caching headers of data that changes every second and is the same for every caller, with or without a token: a CDN
 * answers it for two seconds.
 */
export const sharedCaching = { 'cache-control': 'public, max-age=0, s-maxage=2' } as const;

/** Caching headers of what never changes: an uploaded picture, whose address changes with it, and a draw. */
export const immutableCaching = { 'cache-control': 'public, max-age=31536000, immutable' } as const;

/** Caching headers of data that is the same for every caller and rarely changes. Browsers may cache it for an hour. */
export const hourCaching = { 'cache-control': 'private, max-age=3600' } as const;

/** Caching headers of token metadata, which marketplaces poll. Clients and CDNs may cache it for a minute. */
export const metadataCaching = { 'cache-control': 'public, max-age=60' } as const;
