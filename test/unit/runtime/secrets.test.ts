import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyList, secret } from '../../../shared/runtime/secrets.ts';

/** The store's next answers, and the number of its requests. */
let answer: { status: number; body: object };
let calls = 0;
let server: Server;

beforeAll(async () => {
  server = createServer((_request, response) => {
    calls++;
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answer.body));
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

/** Each test has its own secret, since the module caches values. */
const advance = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);
const holds = (value: string) => {
  answer = { status: 200, body: { SecretString: value } };
};
const unset = () => {
  answer = { status: 400, body: { __type: 'ResourceNotFoundException', message: 'no value for AWSCURRENT' } };
};
const down = () => {
  answer = { status: 500, body: { __type: 'InternalServiceError' } };
};

describe('a secret of a deployed function', () => {
  beforeEach(() => {
    calls = 0;
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => vi.useRealTimers());

  it('is read once, and again after 15 minutes', async () => {
    vi.stubEnv('GATEWAY_A_SECRET_ARN', 'arn:a');
    holds('first');
    expect([await secret('GATEWAY_A_SECRET'), await secret('GATEWAY_A_SECRET')]).toEqual(['first', 'first']);
    expect(calls).toBe(1);
    holds('second');
    advance(14);
    expect(await secret('GATEWAY_A_SECRET')).toBe('first');
    advance(2);
    expect(await secret('GATEWAY_A_SECRET')).toBe('second');
    expect(calls).toBe(2);
  });

  it('is not configured while it has no value', async () => {
    vi.stubEnv('GATEWAY_B_SECRET_HASH_ARN', 'arn:b');
    unset();
    expect(await secret('GATEWAY_B_SECRET_HASH')).toBeUndefined();
    advance(16);
    holds('');
    expect(await secret('GATEWAY_B_SECRET_HASH')).toBeUndefined();
  });

  it('keeps its last value while the store is down', async () => {
    vi.stubEnv('GATEWAY_C_SECRET_KEY_ARN', 'arn:c');
    holds('kept');
    await secret('GATEWAY_C_SECRET_KEY');
    advance(16);
    down();
    expect(await secret('GATEWAY_C_SECRET_KEY')).toBe('kept');
    expect(calls).toBeGreaterThan(1);
  });

  it('is read again after the first read failed', async () => {
    vi.stubEnv('MINTER_PRIVATE_KEY_ARN', 'arn:m');
    down();
    await expect(secret('MINTER_PRIVATE_KEY')).rejects.toThrow();
    holds('there');
    expect(await secret('MINTER_PRIVATE_KEY')).toBe('there');
  });

  it('may be a list of keys, the first of which signs', async () => {
    vi.stubEnv('JWT_ACCESS_SECRET_ARN', 'arn:j');
    holds('new, old');
    expect(await keyList('JWT_ACCESS_SECRET')).toEqual(['new', 'old']);
  });
});
