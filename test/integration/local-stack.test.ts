import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rpc } from '../../infra/local/services/chain.ts';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { sharedStack, startStack } from '../support/stack.ts';

const stack = sharedStack();

function createFolder(): string {
  const name = mkdtempSync(path.join(tmpdir(), 'boxoffice-local-stack-'));
  onTestFinished(() => rmSync(name, { recursive: true, force: true }));
  return name;
}

test.each(['/api/orders/initialize', '/api/no-such-path'])(
  'a CORS preflight of %s is a 204',
  async (path) => {
    const response = await fetch(stack.apiUrl + path, {
      method: 'OPTIONS',
      headers: { origin: stack.apiUrl, 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(stack.apiUrl);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
  },
);

test.each(['localhost', '127.0.0.1', '[::1]'])('the service listens on %s', async (host) => {
  const { port } = new URL(stack.apiUrl);
  const response = await fetch(`http://${host}:${port}/api/health`);
  expect(await response.json()).toEqual({ ok: true });
});

test('the finalized block is one to three blocks behind the latest one', async () => {
  const readBlockNumber = async (tag: string) => {
    const block = await rpc<{ number: string }>(stack.chainRpcUrl, 'eth_getBlockByNumber', [tag, false]);
    return Number(block.number);
  };
  const [latest, finalized] = await eventually('no block is mined between the calls', async () => {
    const numbers = [await readBlockNumber('latest'), await readBlockNumber('finalized')] as const;
    return (await readBlockNumber('latest')) === numbers[0] && numbers;
  });
  expect(latest - finalized).toBeGreaterThanOrEqual(1);
  expect(latest - finalized).toBeLessThanOrEqual(3);
});

describe('a failed start prints one line for', () => {
  /** Starts a stack that must fail. @returns its explanation, without the lines about the parts that have started */
  const explainFailure = async (overrides: { env?: Record<string, string>; dataDir: string }) => {
    const message = await startStack(overrides).catch((error: Error) => error.message);
    return `${message}`.split('\n').filter((line) => line && !/^(The stack did|Starting| {2})/.test(line));
  };

  test.each([
    ['a port in use', () => ({ PORT: new URL(stack.apiUrl).port }), /^Port \d+ is in use\. .*\.$/],
    ['an invalid port', () => ({ PORT: 'many' }), /^PORT is many, which is not a port number\.$/],
    ['an invalid minter key', () => ({ MINTER_PRIVATE_KEY: '0x12' }), /^MINTER_PRIVATE_KEY must be .*\.$/],
    [
      'an invalid setting',
      () => ({ HOLD_MINUTES: 'abc' }),
      /^HOLD_MINUTES must be a number of minutes above 0\.$/,
    ],
    [
      'an unreachable DynamoDB',
      () => ({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' }),
      /^The table can't be created at http:\/\/127\.0\.0\.1:9: .*\.$/,
    ],
  ])('%s', async (_, env, explanation) => {
    expect(await explainFailure({ env: env(), dataDir: createFolder() })).toEqual([
      expect.stringMatching(explanation),
    ]);
  });

  test('a damaged chain state', async () => {
    const dataDir = createFolder();
    writeFileSync(path.join(dataDir, 'chain.json.gz'), 'half a');
    expect(await explainFailure({ dataDir })).toEqual([
      expect.stringMatching(/^The chain's state in .* is damaged .*--fresh$/),
    ]);
  });
});

test('after kill -9 the stack restarts at the same address with the same data, and stopping it ends all parts', async () => {
  const dataDir = createFolder();
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
  const { apiUrl, dynamodbUrl, sqsUrl, s3Url, chainRpcUrl, sandboxUrl, lambdaUrl, secretsUrl, mailUrl } =
    second;
  const urls = [apiUrl, dynamodbUrl, sqsUrl, s3Url, chainRpcUrl, sandboxUrl, lambdaUrl, secretsUrl, mailUrl];
  for (const url of urls) {
    await expect(fetch(url), url).rejects.toThrow('fetch failed');
  }
});
