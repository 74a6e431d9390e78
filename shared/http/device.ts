import { type Device, nameDevice } from '../core/device.ts';
import { hasAcceptedValue } from '../runtime/secrets.ts';
import type { Request } from './endpoint.ts';

/**
 * Returns the device of a request. Its place is what CloudFront tells, which is trusted only with the secret that CloudFront
 * adds: see `readViewerAddress`.
 */
export async function readDevice({
  header,
}: Pick<Request<never, never, never, never>, 'header'>): Promise<Device> {
  const name = nameDevice(header('user-agent') ?? '');
  const country = header('cloudfront-viewer-country');
  const givenSecret = header('x-origin-secret');
  if (!country || !givenSecret || !(await hasAcceptedValue('ORIGIN_SECRET', givenSecret))) return { name };
  const city = header('cloudfront-viewer-city');
  return { name, country, ...(city && { city }) };
}
