import type { AccessClaims } from '../auth/tokens.ts';

/**
 * Headers of an answer that is the same for everybody: a CDN may keep it for two seconds, browsers may not. An answer
 * to a caller with a token is not kept at all, so that who changes something sees it at once.
 */
export function publicCaching(caller: AccessClaims | undefined): Record<string, string> {
  return caller ? {} : { 'cache-control': 'public, max-age=0, s-maxage=2', vary: 'authorization' };
}

/** Headers of metadata of tokens, which marketplaces poll: clients and CDNs may keep it for a minute. */
export const metadataCaching = { 'cache-control': 'public, max-age=60' } as const;
