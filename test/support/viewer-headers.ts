import { randomBytes } from 'node:crypto';
import { resolveConfiguration } from '../../infra/local/defaults.ts';

const { ORIGIN_SECRET } = resolveConfiguration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, process.env);

/**
 * Returns the headers that CloudFront adds to a viewer's request. The default address is new, so that limits per
 * address count only this request.
 */
export function viewerHeaders(address = createAddress()): Record<string, string> {
  return { 'x-viewer-address': address, 'x-origin-secret': ORIGIN_SECRET ?? '' };
}

function createAddress(): string {
  const [third, fourth] = [randomBytes(2), randomBytes(2)].map((group) => group.toString('hex'));
  return `2001:db8:${third}:${fourth}::1`;
}
