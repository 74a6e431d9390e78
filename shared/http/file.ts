import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { BundledFile } from './docs/files.ts';

/** How long a browser may use its copy, in seconds. Then it revalidates the copy by its ETag. */
const maximumAgeSeconds = 300;

/** Returns a response with a file of the API reference, gzipped when the client accepts it. */
export function fileResponse(
  event: APIGatewayProxyEventV2,
  file: BundledFile,
): APIGatewayProxyStructuredResultV2 {
  const quotedHash = `"${createHash('sha256').update(file.content).digest('base64url')}"`;
  const headers = {
    'content-type': file.type,
    'cache-control': `public, max-age=${maximumAgeSeconds}`,
    // Weak, since it is the same for the compressed and the plain content.
    etag: `W/${quotedHash}`,
    vary: 'accept-encoding',
    ...file.headers,
  };
  // The header may list several ETags, and a proxy may have removed the prefix of a weak one.
  if (event.headers['if-none-match']?.includes(quotedHash)) return { statusCode: 304, headers };
  if (/\bgzip\b/.test(event.headers['accept-encoding'] ?? '')) {
    const gzipHeaders = { ...headers, 'content-encoding': 'gzip' };
    return { statusCode: 200, headers: gzipHeaders, body: file.content, isBase64Encoded: true };
  }
  const body = gunzipSync(Buffer.from(file.content, 'base64')).toString();
  return { statusCode: 200, headers, body };
}
