import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpResponse } from '../../../infra/local/http/http-response.ts';
import { FunctionLog } from '../../../infra/local/lambda/function-log.ts';
import { Lambda } from '../../../infra/local/lambda/lambda.ts';
import { eventually } from '../../support/eventually.ts';

const source = `
let count = 0;
exports.handler = async (event, context) => {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  switch (event.do) {
    case 'env': return { env: { ...process.env } };
    case 'count': await pause(event.ms ?? 0); return ++count;
    case 'context': return { name: context.functionName, id: context.awsRequestId, left: context.getRemainingTimeInMillis() };
    case 'throw': throw new TypeError('on purpose');
    case 'fill': return 'x'.repeat(event.bytes);
    case 'hang': return pause(60_000);
    case 'spin': for (;;);
    case 'exit': process.exit(3);
    case 'print': console.log('hello from here'); return { at: new Date(0), none: undefined };
  }
};`;

let folder: string;
let log: FunctionLog;
let lambda: Lambda;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-lambda-'));
  const file = path.join(folder, 'index.cjs');
  writeFileSync(file, source);
  writeFileSync(path.join(folder, 'broken.cjs'), 'throw new Error("no start")');
  log = new FunctionLog(path.join(folder, 'functions.log'));
  const common = { environment: { ONLY: 'this' }, timeoutSeconds: 0.5, memoryMegabytes: 128, concurrency: 2 };
  lambda = new Lambda(
    [
      { ...common, name: 'fixture', file },
      { ...common, name: 'broken', file: path.join(folder, 'broken.cjs') },
    ],
    log,
  );
});
afterAll(async () => {
  await lambda.stop();
  log.close();
  rmSync(folder, { recursive: true });
});

const run = (event: object) => lambda.invoke('fixture', event);

test('a function has its own environment only', async () => {
  expect(await run({ do: 'env' })).toEqual({ payload: '{"env":{"ONLY":"this"}}' });
});

test('the context has the function’s name and its remaining time', async () => {
  const answer = await run({ do: 'context' });
  const { name, id, left } = JSON.parse('payload' in answer ? answer.payload : '{}');
  expect(name).toBe('fixture');
  expect(id).toMatch(/^[\w-]{36}$/);
  expect(left).toBeGreaterThan(300);
  expect(left).toBeLessThanOrEqual(500);
});

test('results are JSON, and output goes to the log', async () => {
  expect(await run({ do: 'print' })).toEqual({ payload: '{"at":"1970-01-01T00:00:00.000Z"}' });
  const line = '{"function":"fixture","level":"INFO","message":"hello from here"}';
  const log = () => readFileSync(path.join(folder, 'functions.log'), 'utf8');
  await eventually('the line is in the log', () => log().includes(line));
  expect(log()).toContain(line);
});

test('output after the end of the log is dropped', () => {
  const file = path.join(folder, 'ended.log');
  const ended = new FunctionLog(file);
  ended.write('fixture', 'before');
  ended.close();
  expect(() => ended.write('fixture', 'after')).not.toThrow();
  expect(readFileSync(file, 'utf8')).toBe('{"function":"fixture","level":"INFO","message":"before"}\n');
});

test.each(['hang', 'spin'])(
  'a function that exceeds its timeout (%s) is stopped and answered 503',
  async (how) => {
    const answer = await run({ do: how });
    expect(answer).toMatchObject({ failure: { errorType: 'Sandbox.Timedout' } });
    expect(httpResponse(answer).status).toBe(503);
  },
);

test('an exception is a failure, and the environment is reused', async () => {
  const answer = await run({ do: 'throw' });
  expect(answer).toMatchObject({ failure: { errorType: 'TypeError', errorMessage: 'on purpose' } });
  expect(httpResponse(answer)).toMatchObject({ status: 500 });
});

test('an answer over 6 MB is a failure', async () => {
  expect(await run({ do: 'fill', bytes: 6_000_000 })).toHaveProperty('payload');
  const answer = await run({ do: 'fill', bytes: 6_300_000 });
  expect(answer).toMatchObject({ failure: { errorType: 'Function.ResponseSizeTooLarge' } });
  expect(httpResponse(answer).status).toBe(500);
});

test('a crash is a failure, and the next call gets a new environment', async () => {
  expect(await run({ do: 'exit' })).toMatchObject({ failure: { errorType: 'Runtime.ExitError' } });
  expect(await run({ do: 'count' })).toHaveProperty('payload');
});

test('a file that cannot be loaded is a failure', async () => {
  expect(await lambda.invoke('broken', {})).toMatchObject({
    failure: { errorMessage: expect.stringContaining('no start') },
  });
});

test('two events run concurrently, each in its own environment; the third waits', async () => {
  const started = Date.now();
  const answers = await Promise.all([1, 2, 3].map(() => run({ do: 'count', ms: 200 })));
  expect(answers.every((answer) => 'payload' in answer)).toBe(true);
  expect(Date.now() - started).toBeGreaterThanOrEqual(390);
});
