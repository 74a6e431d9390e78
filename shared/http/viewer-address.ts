import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { secret } from '../runtime/secrets.ts';

/**
 * The address that a request comes from. Behind CloudFront the source of a request is an edge location, and CloudFront
 * names the viewer in `x-viewer-address`. The header counts only beside the secret that CloudFront alone adds: callers
 * who reach the API directly could claim any address.
 */
export async function viewerAddress({ headers, requestContext }: APIGatewayProxyEventV2): Promise<string> {
  const { sourceIp } = requestContext.http;
  const { 'x-viewer-address': viewer, 'x-origin-secret': claimed } = headers;
  if (!viewer || !claimed) return sourceIp;
  const expected = await secret('ORIGIN_SECRET');
  return expected && isSame(claimed, expected) ? viewer : sourceIp;
}

/** In constant time, also for texts of different length. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
