import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import path from 'node:path';
import { type Cors, isPreflight } from '../http/api-gateway.ts';
import { type HttpResponse, readBody } from '../http/payload.ts';
import { credentials } from './aws.ts';
import { listenPreferring } from './process.ts';

/** An error of S3. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const denied = (message: string) => new Refused(403, 'AccessDenied', message);
const violates = (reason: string) => denied(`Invalid according to Policy: ${reason}`);
const tooLarge = () =>
  new Refused(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');

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
  if (method === 'POST' && !key) return receiveForm(body, headers['content-type'] ?? '', options);
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

/** Receives the form of a browser: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-post-example.html */
async function receiveForm(body: Buffer, type: string, options: BucketOptions): Promise<HttpResponse> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new Refused(400, 'MalformedPOSTRequest', 'The body of your POST request is not well-formed');
    });
  const entries = [...form.entries()];
  const position = entries.findIndex(([name]) => name === 'file');
  const file = entries[position]?.[1];
  if (!(file instanceof File))
    throw new Refused(400, 'InvalidArgument', 'POST requires exactly one file upload');
  // S3 ignores what follows the file.
  const fields = new Map(entries.slice(0, position).map(([name, value]) => [name.toLowerCase(), `${value}`]));
  const key = fields.get('key');
  if (!key) throw new Refused(400, 'InvalidArgument', "Bucket POST must contain a field named 'key'");
  const policy = fields.get('policy');
  if (!policy) throw denied('Access Denied');
  requireSignature(policy, fields);
  requireConditions(JSON.parse(Buffer.from(policy, 'base64').toString()), fields, file.size, options.name);
  await store(key, Buffer.from(await file.arrayBuffer()), toStoredHeaders(fields), options);
  return empty(204);
}

function requireSignature(policy: string, fields: Map<string, string>): void {
  const [accessKeyId, ...scope] = (fields.get('x-amz-credential') ?? '').split('/');
  if (accessKeyId !== credentials.accessKeyId)
    throw new Refused(
      403,
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
    );
  const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const signature = sign(scope.reduce<string | Buffer>(sign, `AWS4${credentials.secretAccessKey}`), policy);
  const given = Buffer.from(fields.get('x-amz-signature') ?? '', 'hex');
  if (given.length !== signature.length || !timingSafeEqual(given, signature))
    throw new Refused(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match');
}

type Condition = Record<string, string> | [operator: string, ...operands: (string | number)[]];

function requireConditions(
  policy: { expiration: string; conditions: Condition[] },
  fields: Map<string, string>,
  size: number,
  bucket: string,
): void {
  if (Date.parse(policy.expiration) <= Date.now()) throw violates('Policy expired.');
  // The conditions cover these otherwise, or not at all.
  const uncovered = new Set(
    [...fields.keys()].filter((name) => !/^(policy|x-amz-signature|x-ignore-.*)$/.test(name)),
  );
  for (const condition of policy.conditions) {
    if (Array.isArray(condition) && condition[0] === 'content-length-range') {
      const [, minimum, maximum] = condition.map(Number) as [number, number, number];
      if (size > maximum) throw tooLarge();
      if (size < minimum)
        throw new Refused(
          400,
          'EntityTooSmall',
          'Your proposed upload is smaller than the minimum allowed size',
        );
      continue;
    }
    const [operator, field, expected] = Array.isArray(condition)
      ? condition.map(String)
      : ['eq', ...Object.entries(condition).flat()];
    const name = (field ?? '').replace(/^\$/, '').toLowerCase();
    const value = name === 'bucket' ? bucket : (fields.get(name) ?? '');
    const isMet = operator === 'eq' ? value === expected : value.startsWith(expected ?? '');
    if (!isMet) throw violates(`Policy Condition failed: ["${operator}", "$${name}", "${expected}"]`);
    uncovered.delete(name);
  }
  if (uncovered.size > 0) throw violates(`Extra input fields: ${[...uncovered].join(', ')}`);
}
