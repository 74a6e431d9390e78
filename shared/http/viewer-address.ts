import { createHash, timingSafeEqual } from 'node:crypto';
import { secret } from '../runtime/secrets.ts';

interface Connection {
  /** The address that connects. */
  ip: string;
  header(name: string): string | undefined;
}

/**
 * Returns the address that a request comes from, for limits: of IPv6 the network of 64 bits, since a customer has at
 * least that. Behind CloudFront the source of a request is an edge location, and CloudFront names the viewer in
 * `x-viewer-address`. The header counts only beside the secret that CloudFront alone adds: callers who reach the API
 * directly could claim any address.
 */
export async function viewerAddress({ ip, header }: Connection): Promise<string> {
  const viewer = header('x-viewer-address');
  const claimed = header('x-origin-secret');
  if (!viewer || !claimed) return networkOf(ip);
  const expected = await secret('ORIGIN_SECRET');
  return networkOf(expected && isSame(claimed, expected) ? viewer : ip);
}

function networkOf(address: string): string {
  // An IPv4 address, also one within IPv6.
  if (!address.includes(':') || address.includes('.')) return address;
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array(Math.max(0, 8 - start.length - end.length)).fill('0');
  const groups = [...start, ...zeros, ...end];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** In constant time, also for texts of different length. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
