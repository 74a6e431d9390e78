import { createHmac, timingSafeEqual } from 'node:crypto';
import { credentials } from './aws.ts';

/** An error of S3. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const denied = (message: string) => new Refused(403, 'AccessDenied', message);
const violates = (reason: string) => denied(`Invalid according to Policy: ${reason}`);
export const tooLarge = () =>
  new Refused(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');

/**
 * Reads the form with which a browser posts an object, and enforces its signed policy.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 * @param type the content type of the body
 * @throws Refused as S3 does
 */
export async function readUploadForm(
  body: Buffer,
  type: string,
  bucket: string,
): Promise<{ key: string; fields: Map<string, string>; file: Buffer }> {
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
  requireConditions(JSON.parse(Buffer.from(policy, 'base64').toString()), fields, file.size, bucket);
  return { key, fields, file: Buffer.from(await file.arrayBuffer()) };
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
  // A policy has to name every field, but these.
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
