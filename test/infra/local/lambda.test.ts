import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { toHttpResponse } from '../../../infra/local/http/payload.ts';
import { createLambdaApi, Lambda } from '../../../infra/local/lambda/lambda.ts';
import { FunctionLog } from '../../../infra/local/lambda/log.ts';
import { listen } from '../../../infra/local/services/process.ts';
import { eventually } from '../../support/eventually.ts';

const source = `
let count = 0;
exports.handler = async (event, context) => {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  switch (event.action) {
    case 'env': return { env: { ...process.env } };
    case 'count': await pause(event.ms ?? 0); return ++count;
    case 'context': return { name: context.functionName, id: context.awsRequestId, remainingTime: context.getRemainingTimeInMillis() };
    case 'throw': throw new TypeError('on purpose');
    case 'fill': return 'x'.repeat(event.bytes);
    case 'hang': return pause(60_000);
    case 'spin': for (;;);
    case 'exit': process.exit(3);
    case 'print': console.log('hello from here'); return { at: new Date(0), none: undefined };
  }
};`;

/** The timeout of the function whose events must not time out, on a slow machine either. */
const fixtureSeconds = 60;

let folder: string;
let log: FunctionLog;
let lambda: Lambda;
let briefIdle: Lambda;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-lambda-'));
  const file = path.join(folder, 'index.cjs');
  writeFileSync(file, source);
  writeFileSync(path.join(folder, 'broken.cjs'), 'throw new Error("no start")');
  log = new FunctionLog(path.join(folder, 'functions.log'));
  const common = {
    environment: { ONLY: 'this' },
    timeoutSeconds: fixtureSeconds,
    memoryMegabytes: 128,
    concurrency: 2,
  };
  lambda = new Lambda(
    [
      { ...common, name: 'fixture', file },
      { ...common, name: 'brief', file, timeoutSeconds: 0.5 },
      { ...common, name: 'broken', file: path.join(folder, 'broken.cjs') },
    ],
    log,
  );
  briefIdle = new Lambda([{ ...common, name: 'fixture', file }], log, undefined, 500);
});
afterAll(async () => {
  await lambda.stop();
  await briefIdle.stop();
  log.close();
  rmSync(folder, { recursive: true });
});

const run = (event: object) => lambda.invoke('fixture', event);

test('a function has only its own environment variables', async () => {
  expect(await run({ action: 'env' })).toEqual({ payload: '{"env":{"ONLY":"this"}}' });
});

test('the context has the function’s name and its remaining time', async () => {
  const answer = await run({ action: 'context' });
  const { name, id, remainingTime } = JSON.parse('payload' in answer ? answer.payload : '{}');
  expect(name).toBe('fixture');
  expect(id).toMatch(/^[\w-]{36}$/);
  expect(remainingTime).toBeGreaterThan(0);
  expect(remainingTime).toBeLessThanOrEqual(fixtureSeconds * 1000);
});

test('results are JSON, and output goes to the log', async () => {
  expect(await run({ action: 'print' })).toEqual({ payload: '{"at":"1970-01-01T00:00:00.000Z"}' });
  const line = '{"function":"fixture","level":"INFO","message":"hello from here"}';
  const readLog = () => readFileSync(path.join(folder, 'functions.log'), 'utf8');
  await eventually('the line is in the log', () => readLog().includes(line));
  expect(readLog()).toContain(line);
});

test('emulated concurrency throttles a function at its reservation, and the others at the rest of the account', async () => {
  const file = path.join(folder, 'index.cjs');
  const common = {
    file,
    environment: {},
    timeoutSeconds: fixtureSeconds,
    memoryMegabytes: 128,
    concurrency: 9,
  };
  const names = ['slow', 'page', 'login'];
  const limits = { account: 4, reserved: { slow: 2 } };
  const limited = new Lambda(
    names.map((name) => ({ ...common, name })),
    log,
    limits,
  );
  onTestFinished(() => limited.stop());
  const start = (name: string) => limited.invoke(name, { action: 'count', ms: 2_000 });
  const running = ['slow', 'slow', 'page', 'login'].map(start);
  for (const name of names) {
    const answer = await start(name);
    expect(answer).toMatchObject({ failure: { errorType: 'TooManyRequestsException' } });
    expect(toHttpResponse(answer).status).toBe(503);
  }
  for (const answer of await Promise.all(running)) expect(answer).toHaveProperty('payload');
  expect(await start('page')).toHaveProperty('payload');

  const api = createLambdaApi(limited);
  const port = await listen(api);
  onTestFinished(() => void api.close());
  const url = `http://127.0.0.1:${port}/2015-03-31/functions/slow/invocations`;
  const body = JSON.stringify({ action: 'count', ms: 2_000 });
  const statuses = await Promise.all(
    [1, 2, 3].map(async () => (await fetch(url, { method: 'POST', body })).status),
  );
  expect(statuses.sort()).toEqual([200, 200, 429]);
});

test('output after the log is closed is discarded', () => {
  const file = path.join(folder, 'closed.log');
  const closedLog = new FunctionLog(file);
  closedLog.write('fixture', 'before');
  closedLog.close();
  expect(() => closedLog.write('fixture', 'after')).not.toThrow();
  expect(readFileSync(file, 'utf8')).toBe('{"function":"fixture","level":"INFO","message":"before"}\n');
});

test.each(['hang', 'spin'])(
  'a function that exceeds its timeout (%s) is stopped and answered with 503',
  async (action) => {
    const answer = await lambda.invoke('brief', { action });
    expect(answer).toMatchObject({ failure: { errorType: 'Sandbox.Timedout' } });
    expect(toHttpResponse(answer).status).toBe(503);
  },
);

test('an exception is a failure with its type and message, answered with 500', async () => {
  const answer = await run({ action: 'throw' });
  expect(answer).toMatchObject({ failure: { errorType: 'TypeError', errorMessage: 'on purpose' } });
  expect(toHttpResponse(answer)).toMatchObject({ status: 500 });
});

test('a result of more than 6 MB is a failure', async () => {
  expect(await run({ action: 'fill', bytes: 6_000_000 })).toHaveProperty('payload');
  const answer = await run({ action: 'fill', bytes: 6_300_000 });
  expect(answer).toMatchObject({ failure: { errorType: 'Function.ResponseSizeTooLarge' } });
  expect(toHttpResponse(answer).status).toBe(500);
});

test('the Invoke API returns the result, and refuses an event of more than 6 MB', async () => {
  const server = createLambdaApi(lambda);
  const url = `http://127.0.0.1:${await listen(server, 0)}/2015-03-31/functions/fixture/invocations`;
  const invoke = (event: object) => fetch(url, { method: 'POST', body: JSON.stringify(event) });
  try {
    expect(await (await invoke({ action: 'fill', bytes: 3 })).json()).toBe('xxx');
    const answer = await invoke({ action: 'fill', bytes: 3, padding: 'x'.repeat(6 * 1024 * 1024) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ Type: 'User', Message: expect.stringContaining('6291456') });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a crash is a failure, and the next event runs in a new environment', async () => {
  expect(await run({ action: 'exit' })).toMatchObject({ failure: { errorType: 'Runtime.ExitError' } });
  expect(await run({ action: 'count' })).toHaveProperty('payload');
});

test('a file that cannot be loaded is a failure', async () => {
  expect(await lambda.invoke('broken', {})).toMatchObject({
    failure: { errorMessage: expect.stringContaining('no start') },
  });
});

test('two events run concurrently, each in its own environment; the third waits', async () => {
  const started = Date.now();
  const answers = await Promise.all([1, 2, 3].map(() => run({ action: 'count', ms: 200 })));
  expect(answers.every((answer) => 'payload' in answer)).toBe(true);
  expect(Date.now() - started).toBeGreaterThanOrEqual(390);
});

test('an idle environment serves the next event, and ends after some time without one', async () => {
  const count = async () => briefIdle.invoke('fixture', { action: 'count' });
  expect(await count()).toEqual({ payload: '1' });
  expect(await count()).toEqual({ payload: '2' });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await count()).toEqual({ payload: '1' });
});
