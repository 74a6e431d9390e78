import { notFound } from '../../core/errors.ts';

// The assets are imported dynamically, since they exist only in a bundle.

/** Returns the OpenAPI document. */
export async function openApiFile(): Promise<BundledFile> {
  const { default: content } = await import('asset:openapi.json');
  return { content, type: 'application/json; charset=utf-8' };
}

/** Allows resources of this origin only. Forbids inline scripts and framing. */
const contentSecurityPolicy = [
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
  const headers = { 'content-security-policy': contentSecurityPolicy, 'referrer-policy': 'no-referrer' };
  return { content, type: 'text/html; charset=utf-8', headers };
}

const scriptType = 'text/javascript; charset=utf-8';
const styleType = 'text/css; charset=utf-8';
const referenceParts: Record<string, { type: string; load: () => Promise<{ default: string }> }> = {
  'reference.js': { type: scriptType, load: () => import('asset:reference.js') },
  'reference.css': { type: styleType, load: () => import('asset:reference.css') },
  'swagger-ui.js': { type: scriptType, load: () => import('asset:swagger-ui.js') },
  'swagger-ui.css': { type: styleType, load: () => import('asset:swagger-ui.css') },
};

/** Returns a script or style sheet of the API reference. @throws DomainError 404 for an unknown name */
export async function referencePart(name: string | undefined): Promise<BundledFile> {
  const part = Object.hasOwn(referenceParts, name ?? '') ? referenceParts[name ?? ''] : undefined;
  if (!part) throw notFound('Path');
  return { content: (await part.load()).default, type: part.type };
}

/** A file of the bundle, as a response. */
export interface BundledFile {
  /** Gzipped and base64-encoded. */
  content: string;
  /** The content type. */
  type: string;
  /** Further headers of the response. */
  headers?: Record<string, string>;
}
