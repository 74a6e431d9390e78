import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

/** The values or errors of Secrets Manager by ARN, and the ARN of each request. */
let values: Record<string, string | { error: string }>;
let requests: string[];
/** Answers wait for this promise. */
let gate: Promise<void>;
let secrets: typeof import('../../../shared/runtime/secrets.ts');
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { SecretId } = (await json(request)) as { SecretId: string };
    expect(request.headers['x-amz-target']).toBe('secretsmanager.GetSecretValue');
    requests.push(SecretId);
    await gate;
    const value = values[SecretId] ?? { error: 'ResourceNotFoundException' };
    const isValue = typeof value === 'string';
    // With another time, the SDK would take the error for one of a wrong clock, and retry.
    const headers = { 'content-type': 'application/x-amz-json-1.1', date: new Date().toUTCString() };
    response.writeHead(isValue ? 200 : 400, headers);
    response.end(JSON.stringify(isValue ? { ARN: SecretId, SecretString: value } : { __type: value.error }));
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

const denied = { error: 'AccessDeniedException' };
const readA = () => secrets.readSecret('GATEWAY_A_SECRET');
const advanceClock = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);
/** Resolves when the value that is being read in the background has arrived. */
const untilValue = (value: string | undefined) =>
  vi.waitFor(async () => expect(await readA()).toBe(value), { timeout: 5_000 });

describe('a deployed function', () => {
  beforeEach(async () => {
    [values, requests, gate] = [{}, [], Promise.resolve()];
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.stubEnv('GATEWAY_A_SECRET_ARN', 'arn:a');
    vi.stubEnv('JWT_ACCESS_SECRET_ARN', 'arn:j');
    vi.resetModules();
    secrets = await import('../../../shared/runtime/secrets.ts');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('reads each secret once, however many calls need it, and all in the init phase', async () => {
    values = { 'arn:a': 'first', 'arn:j': 'key' };
    await Promise.all([secrets.readSecrets(), readA(), readA()]);
    expect(await Promise.all([readA(), secrets.readSecret('JWT_ACCESS_SECRET')])).toEqual(['first', 'key']);
    expect(requests.toSorted()).toEqual(['arn:a', 'arn:j']);
  });

  it('uses a value of 15 minutes while it reads the secret again', async () => {
    values = { 'arn:a': 'first' };
    await readA();
    advanceClock(9);
    await readA();
    expect(requests.length).toBe(1);
    values = { 'arn:a': 'second' };
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    advanceClock(6);
    expect(await Promise.all([readA(), readA()])).toEqual(['first', 'first']);
    open();
    await untilValue('second');
    expect(requests.length).toBe(2);
  });

  it('waits for the new value when its own is 30 minutes old, as after a long time without calls', async () => {
    values = { 'arn:a': 'first' };
    await readA();
    advanceClock(30);
    values = { 'arn:a': 'second' };
    expect(await readA()).toBe('second');
  });

  it('reads again at a random age from 10 to 15 minutes', async () => {
    values = { 'arn:a': 'value' };
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    await readA();
    advanceClock(12.4);
    await readA();
    expect(requests.length).toBe(1);
    advanceClock(0.2);
    await readA();
    await vi.waitFor(() => expect(requests.length).toBe(2));
  });

  it('treats a secret without a value, or with an empty one, as not configured, and does not ask at each call', async () => {
    values = { 'arn:j': 'key' };
    expect([await readA(), await readA()]).toEqual([undefined, undefined]);
    expect(requests).toEqual(['arn:a']);
    advanceClock(30);
    values = { 'arn:a': '', 'arn:j': 'key' };
    expect(await readA()).toBeUndefined();
    advanceClock(30);
    values = { 'arn:a': 'set', 'arn:j': 'key' };
    expect(await readA()).toBe('set');
  });

  it.each([15, 45])('keeps its value of %i minutes while Secrets Manager fails, and pauses', async (age) => {
    values = { 'arn:a': 'kept' };
    await readA();
    advanceClock(age);
    values = { 'arn:a': denied };
    for (let call = 0; call < 5; call++) expect(await readA()).toBe('kept');
    await vi.waitFor(() => expect(requests.length).toBe(2));
    advanceClock(1);
    values = { 'arn:a': 'new' };
    await untilValue('new');
  });

  it('answers 503 after a failed first read, pauses, and then reads again', async () => {
    values = { 'arn:a': denied };
    for (let call = 0; call < 5; call++)
      await expect(readA()).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 1 });
    expect(requests.length).toBe(1);
    values = { 'arn:a': 'there' };
    advanceClock(1);
    expect(await readA()).toBe('there');
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
