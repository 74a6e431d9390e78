import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rpc } from '../../infra/local/parts/rpc.ts';
import { call } from '../support/http.ts';
import { sharedStack, startStack } from '../support/stack.ts';

const stack = sharedStack();

function folder(): string {
  const name = mkdtempSync(path.join(tmpdir(), 'boxoffice-local-stack-'));
  onTestFinished(() => rmSync(name, { recursive: true, force: true }));
  return name;
}

test('the $default function answers an unknown path', async () => {
  const { status, body } = await call('GET', '/api/nothing-here');
  expect(status).toBe(404);
  expect(body).toEqual({ error: expect.any(String) });
});

test.each(['/api/orders/initialize', '/api/no-such-path'])('a preflight of %s is 204', async (path) => {
  const response = await fetch(stack.apiUrl + path, {
    method: 'OPTIONS',
    headers: { origin: stack.apiUrl, 'access-control-request-method': 'POST' },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-origin')).toBe(stack.apiUrl);
  expect(response.headers.get('access-control-allow-methods')).toContain('POST');
});

test.each(['localhost', '127.0.0.1', '[::1]'])('the service answers at %s', async (host) => {
  const { port } = new URL(stack.apiUrl);
  const response = await fetch(`http://${host}:${port}/api/health`);
  expect(await response.json()).toEqual({ ok: true });
});

test('a function can be invoked by its name', async () => {
  const event = { headers: {}, requestContext: { requestId: 'r' } };
  expect(await stack.invoke('health-health', event)).toMatchObject({ statusCode: 200 });
  await expect(stack.invoke('no-such-function')).rejects.toThrow('not found');
});

test('a block is final two blocks later', async () => {
  const number = async (tag: string) => {
    const block = await rpc<{ number: string }>(stack.chainRpcUrl, 'eth_getBlockByNumber', [tag, false]);
    return Number(block.number);
  };
  const [latest, finalized] = await Promise.all([number('latest'), number('finalized')]);
  expect(latest - finalized).toBeGreaterThanOrEqual(1);
  expect(latest - finalized).toBeLessThanOrEqual(3);
});

describe('a failed start is explained in one line', () => {
  test.each([
    ['a taken port', () => ({ PORT: new URL(stack.apiUrl).port }), /^Port \d+ is taken\. .*\.$/],
    ['no port', () => ({ PORT: 'many' }), /^PORT is many, which is not a port number\.$/],
    ['a damaged minter key', () => ({ MINTER_PRIVATE_KEY: '0x12' }), /^MINTER_PRIVATE_KEY must be .*\.$/],
    [
      'a bad setting',
      () => ({ HOLD_MINUTES: 'abc' }),
      /^HOLD_MINUTES must be a number of minutes above 0\.$/,
    ],
    [
      'no DynamoDB at the address',
      () => ({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' }),
      /^The table can't be created at http:\/\/127\.0\.0\.1:9: .*\.$/,
    ],
  ])('%s', async (_, env, sentence) => {
    const printed = await startStack({ env: env(), dataDir: folder() }).catch(
      (error: Error) => error.message,
    );
    // Behind the first line, and the parts that were up by then.
    const lines = `${printed}`
      .split('\n')
      .filter((line) => line && !/^(The stack did|Starting| {2})/.test(line));
    expect(lines).toEqual([expect.stringMatching(sentence)]);
  });

  test('a damaged chain state', async () => {
    const dataDir = folder();
    writeFileSync(path.join(dataDir, 'chain.json.gz'), 'half a');
    await expect(startStack({ dataDir })).rejects.toThrow(/chain's state .* is damaged .*--fresh/);
  });
});

test('after kill -9 it restarts at the same address with the same data, and a stop ends all parts', {
  timeout: 120_000,
}, async () => {
  const dataDir = folder();
  const person = { email: 'kept@example.com', password: 'kept for later', name: 'Kept' };
  const first = await startStack({ dataDir });
  onTestFinished(() => first.stop());
  await expect(startStack({ dataDir })).rejects.toThrow('Another stack is using');
  await call('POST', '/api/auth/register', { apiUrl: first.apiUrl, body: person });
  await first.kill();
  await expect(fetch(first.apiUrl)).rejects.toThrow();

  const second = await startStack({ dataDir });
  onTestFinished(() => second.stop());
  expect({ ...second }).toMatchObject({ apiUrl: first.apiUrl, sandboxUrl: first.sandboxUrl });
  expect(second.ticketContract).toBe(first.ticketContract);
  const { status } = await call('POST', '/api/auth/login', { apiUrl: second.apiUrl, body: person });
  expect(status).toBe(200);
  expect(await rpc(second.chainRpcUrl, 'eth_getCode', [second.ticketContract, 'latest'])).not.toBe('0x');
  await second.stop();
  const { apiUrl, dynamodbUrl, sqsUrl, chainRpcUrl, sandboxUrl, lambdaUrl, mailUrl } = second;
  for (const url of [apiUrl, dynamodbUrl, sqsUrl, chainRpcUrl, sandboxUrl, lambdaUrl, mailUrl]) {
    await expect(fetch(url), url).rejects.toThrow('fetch failed');
  }
});
