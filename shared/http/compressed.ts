import { gzipSync } from 'node:zlib';
import { Reply } from './endpoint.ts';

/** Returns a large response as JSON, gzipped when the client accepts it: API Gateway's HTTP APIs do not compress. */
export function compressedReply<Body extends object>(
  header: (name: string) => string | undefined,
  body: Body,
): Reply<Body | Buffer> {
  if (!/\bgzip\b/.test(header('accept-encoding') ?? '')) return new Reply(body, {});
  return new Reply(gzipSync(JSON.stringify(body)), { headers: { 'content-encoding': 'gzip' } });
}
