import { randomBytes } from 'node:crypto';
import { configuration } from '../../infra/local/defaults.ts';

const { ORIGIN_SECRET } = configuration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, process.env);

/**
 * Headers of a request as CloudFront passes it on from a viewer, by default one who never came before: what is limited
 * by address is then limited for this request alone.
 */
export function fromViewer(address = newNetwork()): Record<string, string> {
  return { 'x-viewer-address': address, 'x-origin-secret': ORIGIN_SECRET ?? '' };
}

function newNetwork(): string {
  const [one, other] = [randomBytes(2), randomBytes(2)].map((group) => group.toString('hex'));
  return `2001:db8:${one}:${other}::1`;
}
