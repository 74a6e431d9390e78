import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { File } from '../docs/files.ts';
import { Reply } from './endpoint.ts';

/** Seconds for which a browser uses its copy without asking; after that, the ETag saves the transfer. */
const maximumAgeSeconds = 300;

/** A response with a file of the API reference, in gzip where the client accepts it. */
export function fileResponse(event: APIGatewayProxyEventV2, file: File): APIGatewayProxyStructuredResultV2 {
  const etag = `"${createHash('sha256').update(file.content).digest('base64url')}"`;
  const headers = {
    'content-type': file.type,
    'cache-control': `public, max-age=${maximumAgeSeconds}`,
    etag,
    vary: 'accept-encoding',
    ...file.headers,
  };
  if (event.headers['if-none-match'] === etag) return { statusCode: 304, headers };
  if (/\bgzip\b/.test(event.headers['accept-encoding'] ?? '')) {
    const packed = { ...headers, 'content-encoding': 'gzip' };
    return { statusCode: 200, headers: packed, body: file.content, isBase64Encoded: true };
  }
  const body = gunzipSync(Buffer.from(file.content, 'base64')).toString();
  return { statusCode: 200, headers, body };
}

/** Whether the client asks for CSV instead of JSON. */
export function wantsCsv(header: (name: string) => string | undefined): boolean {
  return header('accept')?.trim().toLowerCase().startsWith('text/csv') ?? false;
}

/** A CSV file as a download; `x-next-cursor` continues an export that is longer than one file. */
export function csvReply(name: string, { csv, nextCursor }: { csv: string; nextCursor: string | null }) {
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
    ...(nextCursor && { 'x-next-cursor': nextCursor }),
  };
  return new Reply(csv, { headers });
}
