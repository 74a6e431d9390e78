import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

/** The values or errors of Secrets Manager by ARN, whether it is down, and the ARNs of each request. */
let values: Record<string, string | { error: string }>;
let isDown: boolean;
let requests: string[][];
let secrets: typeof import('../../../shared/runtime/secrets.ts');
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { SecretIdList } = (await json(request)) as { SecretIdList: string[] };
    requests.push(SecretIdList.toSorted());
    response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(isDown ? { __type: 'InternalServiceError' } : createResponse(SecretIdList)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

/** Creates the response of BatchGetSecretValue, as its API reference describes it. */
function createResponse(arns: string[]): object {
  const entries = arns.map((ARN) => ({ ARN, value: values[ARN] ?? { error: 'ResourceNotFoundException' } }));
  return {
    SecretValues: entries.flatMap(({ ARN, value }) =>
      typeof value === 'string' ? [{ ARN, SecretString: value }] : [],
    ),
    Errors: entries.flatMap(({ ARN, value }) =>
      typeof value === 'string' ? [] : [{ SecretId: ARN, ErrorCode: value.error }],
    ),
  };
}

const advanceClock = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

describe('a deployed function', () => {
  beforeEach(async () => {
    [values, isDown, requests] = [{}, false, []];
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.stubEnv('GATEWAY_A_SECRET_ARN', 'arn:a');
    vi.stubEnv('JWT_ACCESS_SECRET_ARN', 'arn:j');
    vi.resetModules();
    secrets = await import('../../../shared/runtime/secrets.ts');
  });
  afterEach(() => vi.useRealTimers());

  it('reads all its secrets in one request, and again after 15 minutes', async () => {
    values = { 'arn:a': 'first', 'arn:j': 'key' };
    const { readSecret } = secrets;
    expect(await Promise.all([readSecret('GATEWAY_A_SECRET'), readSecret('JWT_ACCESS_SECRET')])).toEqual([
      'first',
      'key',
    ]);
    expect(requests).toEqual([['arn:a', 'arn:j']]);
    values = { 'arn:a': 'second', 'arn:j': 'key' };
    advanceClock(14);
    expect(await readSecret('GATEWAY_A_SECRET')).toBe('first');
    advanceClock(2);
    expect(await readSecret('GATEWAY_A_SECRET')).toBe('second');
    expect(requests.length).toBe(2);
  });

  it('treats a secret without a value, or with an empty one, as not configured', async () => {
    values = { 'arn:j': 'key' };
    expect(await secrets.readSecret('GATEWAY_A_SECRET')).toBeUndefined();
    advanceClock(16);
    values = { 'arn:a': '', 'arn:j': 'key' };
    expect(await secrets.readSecret('GATEWAY_A_SECRET')).toBeUndefined();
    expect(await secrets.readSecret('JWT_ACCESS_SECRET')).toBe('key');
  });

  it('keeps the last values while Secrets Manager is down', async () => {
    values = { 'arn:a': 'kept' };
    await secrets.readSecret('GATEWAY_A_SECRET');
    advanceClock(16);
    isDown = true;
    expect(await secrets.readSecret('GATEWAY_A_SECRET')).toBe('kept');
    expect(requests.length).toBeGreaterThan(1);
  });

  it('keeps the last value of a secret that can no longer be read', async () => {
    values = { 'arn:a': 'kept', 'arn:j': 'old' };
    await secrets.readSecret('GATEWAY_A_SECRET');
    advanceClock(16);
    values = { 'arn:a': { error: 'DecryptionFailure' }, 'arn:j': 'new' };
    expect(await secrets.readSecret('GATEWAY_A_SECRET')).toBe('kept');
    expect(await secrets.readSecret('JWT_ACCESS_SECRET')).toBe('new');
  });

  it('reads again after the first read failed', async () => {
    isDown = true;
    await expect(secrets.readSecret('GATEWAY_A_SECRET')).rejects.toThrow();
    isDown = false;
    values = { 'arn:a': 'there' };
    expect(await secrets.readSecret('GATEWAY_A_SECRET')).toBe('there');
  });

  it('throws the error code of a secret that it may not read', async () => {
    values = { 'arn:a': { error: 'AccessDeniedException' }, 'arn:j': 'key' };
    await expect(secrets.readSecret('GATEWAY_A_SECRET')).rejects.toThrow('AccessDeniedException');
    expect(await secrets.readSecret('JWT_ACCESS_SECRET')).toBe('key');
  });

  it.each(['new, old', ' ,new,,old,'])('splits the list of keys “%s”', async (list) => {
    values = { 'arn:j': list };
    expect(await secrets.readKeyList('JWT_ACCESS_SECRET')).toEqual(['new', 'old']);
  });

  it('throws for a list without keys', async () => {
    values = { 'arn:j': ' , ' };
    await expect(secrets.readKeyList('JWT_ACCESS_SECRET')).rejects.toThrow('JWT_ACCESS_SECRET holds no key');
  });
});
