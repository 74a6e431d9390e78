import { notFound } from '../core/errors.ts';

// Imported when they are asked for: only the build knows these files.

/** The OpenAPI document. */
export async function openApiFile(): Promise<File> {
  const { default: content } = await import('asset:openapi.json');
  return { content, type: 'application/json; charset=utf-8' };
}

/** Everything comes from here, nothing is run that does not stand in a file, and no other site may frame it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page of the API reference. */
export async function referencePage(): Promise<File> {
  const { default: content } = await import('asset:reference.html');
  const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };
  return { content, type: 'text/html; charset=utf-8', headers };
}

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';
const parts: Record<string, { type: string; load: () => Promise<{ default: string }> }> = {
  'reference.js': { type: script, load: () => import('asset:reference.js') },
  'reference.css': { type: style, load: () => import('asset:reference.css') },
  'swagger-ui.js': { type: script, load: () => import('asset:swagger-ui.js') },
  'swagger-ui.css': { type: style, load: () => import('asset:swagger-ui.css') },
};

/** What the page is made of. @throws DomainError 404 */
export async function referencePart(name: string | undefined): Promise<File> {
  const part = Object.hasOwn(parts, name ?? '') ? parts[name ?? ''] : undefined;
  if (!part) throw notFound('Path');
  return { content: (await part.load()).default, type: part.type };
}

/** A file that the build put into a bundle, to be answered with. */
export interface File {
  /** Gzipped, in base64. */
  content: string;
  type: string;
  /** What else the answer carries. */
  headers?: Record<string, string>;
}
