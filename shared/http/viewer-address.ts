import { hasAcceptedValue } from '../runtime/secrets.ts';

interface RequestSource {
  /** The source address of the connection. */
  ip: string;
  header(name: string): string | undefined;
}

/**
 * Returns the client's IP address for rate limits. An IPv6 address is reduced to its /64 network, since a customer of
 * an internet provider has at least a /64 network. Behind CloudFront, the client's address is in `x-viewer-address`.
 * The header is trusted only with the secret that CloudFront adds, since callers of the API's own address can send any
 * header. During a rotation the secret is a list, here and at CloudFront: one common value suffices, so that it does not
 * matter which of the two has the new list first.
 */
export async function readViewerAddress({ ip, header }: RequestSource): Promise<string> {
  const viewer = header('x-viewer-address');
  const givenSecret = header('x-origin-secret');
  if (!viewer || !givenSecret) return toNetwork(ip);
  return toNetwork((await hasAcceptedValue('ORIGIN_SECRET', givenSecret)) ? viewer : ip);
}

function toNetwork(address: string): string {
  // An IPv4 address, or one mapped to IPv6.
  if (!address.includes(':') || address.includes('.')) return address;
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array(Math.max(0, 8 - start.length - end.length)).fill('0');
  const groups = [...start, ...zeros, ...end];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
