import { randomBytes } from 'node:crypto';
import { configuration } from '../../infra/local/defaults.ts';

const { ORIGIN_SECRET } = configuration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, process.env);

/**
 * Returns the headers that CloudFront adds for a viewer, by default a new one, so that limits per address count this
 * request only.
 */
export function viewerHeaders(address = newNetwork()): Record<string, string> {
  return { 'x-viewer-address': address, 'x-origin-secret': ORIGIN_SECRET ?? '' };
}

function newNetwork(): string {
  const [third, fourth] = [randomBytes(2), randomBytes(2)].map((group) => group.toString('hex'));
  return `2001:db8:${third}:${fourth}::1`;
}
