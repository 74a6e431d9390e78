import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import path from 'node:path';
import { type Cors, isPreflight } from '../http/api-gateway.ts';
import { type HttpResponse, readBody } from '../http/payload.ts';
import { listenPreferring } from './process.ts';
import { denied, Refused, readUploadForm, tooLarge } from './upload-form.ts';

/** More than any upload. S3 would accept 5 GB. */
const bodyLimit = 16 * 1024 * 1024;

export interface BucketOptions {
  name: string;
  /** Objects are files below it, and their headers files beside them. */
  directory: string;
  cors: Cors;
  /** Receives a message about each object below `uploads/`, as the stack's rule sends it. */
  queueUrl: string;
}

/**
 * Starts an S3-compatible server with one private bucket: objects are written, read, deleted and listed, and browsers post
 * them with signed policies, whose conditions it enforces. Of other requests' signatures it requires only that there is one.
 */
export async function startBucket(
  options: BucketOptions,
  preferredPort = 0,
): Promise<{ url: string; server: Server }> {
  mkdirSync(options.directory, { recursive: true });
  const server = createServer(async (request, response) => {
    const { status, headers, body } = await answer(request, options).catch(toErrorResponse);
    const corsHeaders = options.cors.headers(request.method, request.headers);
    response.writeHead(status, { ...headers, ...corsHeaders, 'content-length': body.length }).end(body);
  });
  return { url: `http://127.0.0.1:${await listenPreferring(server, preferredPort)}`, server };
}

const empty = (status: number): HttpResponse => ({ status, headers: {}, body: Buffer.alloc(0) });
const xml = (status: number, text: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`),
});

function toErrorResponse(error: Error): HttpResponse {
  const { status, code } = error instanceof Refused ? error : { status: 500, code: 'InternalError' };
  return xml(status, `<Error><Code>${code}</Code><Message>${error.message}</Message></Error>`);
}

async function answer(request: IncomingMessage, options: BucketOptions): Promise<HttpResponse> {
  const { method = '', headers } = request;
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, bucket, key] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
  if (bucket !== options.name) throw new Refused(404, 'NoSuchBucket', 'The specified bucket does not exist');
  if (isPreflight(method, headers)) {
    const isAllowed = headers['access-control-request-method'] === 'POST';
    const allows = 'access-control-allow-origin' in options.cors.headers(method, headers);
    if (!isAllowed || !allows) throw denied('CORSResponse: This CORS request is not allowed');
    return empty(200);
  }
  const body = await readBody(request, bodyLimit);
  if (!body) throw tooLarge();
  if (method === 'POST' && !key) {
    const form = await readUploadForm(body, headers['content-type'] ?? '', options.name);
    await store(form.key, form.file, toStoredHeaders(form.fields), options);
    return empty(204);
  }
  if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) throw denied('Access Denied');
  if (!key) return list(url.searchParams.get('prefix') ?? '', options);
  if (method === 'PUT') {
    await store(key, body, toStoredHeaders(Object.entries(headers)), options);
    return empty(200);
  }
  if (method === 'GET') return read(key, options);
  if (method !== 'DELETE') throw new Refused(405, 'MethodNotAllowed', 'The method is not allowed');
  for (const suffix of ['', headersSuffix]) rmSync(fileOf(key, options) + suffix, { force: true });
  return empty(204);
}

const headersSuffix = '.headers.json';

/** @throws Refused for a key that would be outside of the folder, or the file of another object's headers */
function fileOf(key: string, { directory }: BucketOptions): string {
  if (!/^[\w-]+(\/[\w-]+)*(\.jpg)?$/.test(key)) throw new Refused(400, 'InvalidArgument', 'Invalid key');
  return path.join(directory, key);
}

/** Returns the headers that are stored with an object. */
const toStoredHeaders = (headers: Iterable<[string, unknown]>): Record<string, string> =>
  Object.fromEntries(
    [...headers].flatMap(([name, value]) =>
      /^(content-type|x-amz-meta-.*)$/i.test(name) ? [[name.toLowerCase(), `${value}`]] : [],
    ),
  );

async function store(
  key: string,
  body: Buffer,
  headers: Record<string, string>,
  options: BucketOptions,
): Promise<void> {
  const file = fileOf(key, options);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file + headersSuffix, JSON.stringify(headers));
  writeFileSync(file, body);
  if (key.startsWith('uploads/')) await sendMessage(options.queueUrl, { type: 'resize-picture', key });
}

async function sendMessage(QueueUrl: string, message: object): Promise<void> {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' };
  const body = JSON.stringify({ QueueUrl, MessageBody: JSON.stringify(message) });
  await fetch(QueueUrl, { method: 'POST', headers, body });
}

function read(key: string, options: BucketOptions): HttpResponse {
  const file = fileOf(key, options);
  try {
    return {
      status: 200,
      headers: JSON.parse(readFileSync(file + headersSuffix, 'utf8')),
      body: readFileSync(file),
    };
  } catch {
    throw new Refused(404, 'NoSuchKey', 'The specified key does not exist.');
  }
}

function list(prefix: string, { name, directory }: BucketOptions): HttpResponse {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const keys = files
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .filter((key) => key.startsWith(prefix) && !key.endsWith(headersSuffix))
    .sort();
  const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  return xml(200, `<ListBucketResult><Name>${name}</Name>${contents}</ListBucketResult>`);
}
