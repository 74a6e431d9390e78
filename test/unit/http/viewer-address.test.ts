import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readViewerAddress } from '../../../shared/http/viewer-address.ts';

const addressOf = (headers: Record<string, string>) =>
  readViewerAddress({ ip: '127.0.0.1', header: (name) => headers[name] });

beforeEach(() => {
  vi.stubEnv('ORIGIN_SECRET', 'the secret of CloudFront');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it('the viewer’s address is that in CloudFront’s header when the request has the right secret', async () => {
  const headers = { 'x-viewer-address': '192.0.2.7', 'x-origin-secret': 'the secret of CloudFront' };
  expect(await addressOf(headers)).toBe('192.0.2.7');
});

it.each([
  ['no headers', {}],
  ['an address header and no secret', { 'x-viewer-address': '192.0.2.7' }],
  ['a wrong secret', { 'x-viewer-address': '192.0.2.7', 'x-origin-secret': 'a guess' }],
  ['a secret and no address header', { 'x-origin-secret': 'the secret of CloudFront' }],
])('the viewer’s address is the source address of a request with %s', async (_, headers) => {
  expect(await addressOf(headers)).toBe('127.0.0.1');
});

it('the viewer’s address is the source address when no secret is configured', async () => {
  vi.stubEnv('ORIGIN_SECRET', '');
  expect(await addressOf({ 'x-viewer-address': '192.0.2.7', 'x-origin-secret': '' })).toBe('127.0.0.1');
  expect(await addressOf({ 'x-viewer-address': '192.0.2.7', 'x-origin-secret': 'any' })).toBe('127.0.0.1');
});

it.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
])('the viewer’s address for the source address %s is %s', async (address, network) => {
  expect(await readViewerAddress({ ip: address, header: () => undefined })).toBe(network);
});
