import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DomainError, invalid } from '../core/errors.ts';

/** The largest body read, in bytes. */
export const maximumBodyBytes = 256 * 1024;

/** The body's exact bytes; API Gateway hands some bodies over in base64. */
export function bodyBytes(event: APIGatewayProxyEventV2): Buffer {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maximumBodyBytes) {
    throw new DomainError('too-large', 'body-too-large', 'The body is larger than 256 KiB');
  }
  return bytes;
}

/** The body as JSON. @throws DomainError 413 over 256 KiB, 415 for another content type, 400 for no JSON. */
export function readJson(event: APIGatewayProxyEventV2): unknown {
  const bytes = bodyBytes(event);
  if (bytes.length === 0) throw invalid('A JSON body is required');
  const type = event.headers['content-type'] ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DomainError('unsupported-media-type', 'not-json', 'The content type must be application/json');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), refuseHostile);
  } catch {
    throw invalid('The body is not valid JSON', 'malformed-json');
  }
}

/** A `__proto__` means harm wherever it is copied to, and half a surrogate pair is text that no table takes. */
function refuseHostile(key: string, value: unknown): unknown {
  if (key === '__proto__' || (typeof value === 'string' && !value.isWellFormed())) throw new SyntaxError();
  return value;
}
