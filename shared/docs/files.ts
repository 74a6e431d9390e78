import { notFound } from '../core/errors.ts';

// Imported dynamically, since these files exist only in a bundle.

/** Returns the OpenAPI document. */
export async function openApiFile(): Promise<BundledFile> {
  const { default: content } = await import('asset:openapi.json');
  return { content, type: 'application/json; charset=utf-8' };
}

/** Allows resources of this origin only, and forbids inline scripts and framing. */
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

/** Returns the page of the API reference. */
export async function referencePage(): Promise<BundledFile> {
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

/** Returns a script or style sheet of the page. @throws DomainError 404 for an unknown name */
export async function referencePart(name: string | undefined): Promise<BundledFile> {
  const part = Object.hasOwn(parts, name ?? '') ? parts[name ?? ''] : undefined;
  if (!part) throw notFound('Path');
  return { content: (await part.load()).default, type: part.type };
}

/** A file of the bundle, as a response. */
export interface BundledFile {
  /** Gzipped and base64-encoded. */
  content: string;
  /** Its content type. */
  type: string;
  /** Further headers of the response. */
  headers?: Record<string, string>;
}
