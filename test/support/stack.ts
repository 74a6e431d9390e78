import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { resolveConfiguration } from '../../infra/local/defaults.ts';
import { credentials, region } from '../../infra/local/services/aws.ts';
import { type Child, startChild, untilReady } from '../../infra/local/services/process.ts';
import type { StackDescription } from '../../infra/local/stack.ts';
import { secretNames } from '../../shared/runtime/settings.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const main = path.join(root, 'infra', 'local', 'main.ts');
const startSeconds = 60;

export interface Stack extends StackDescription {
  /** Invokes a function. @throws Error when the function fails */
  invoke<Result = unknown>(functionName: string, event?: unknown): Promise<Result>;
  /**
   * Runs the sweep, as the schedule does each minute, and waits until its workers are idle, for 30 seconds at most. Messages about holds that
   * have not ended yet stay delayed in their queue.
   */
  sweep(): Promise<void>;
}

export interface SeparateStack extends Stack {
  /** The folder with functions.log, stack.log (the stack's output) and the data. */
  dataDir: string;
  stop(): Promise<void>;
  /** Kills all processes of the stack. A new stack with the same dataDir has the same addresses. */
  kill(): Promise<void>;
}

/** Returns the stack that all integration tests and journeys share. It contains the data of other tests. */
export function sharedStack(): Stack {
  return withInvoke(inject('stack'));
}

/**
 * Starts a separate stack in a child process, on free ports, in about five seconds.
 * @param overrides.env variables that replace those of the test run; an empty value means "not configured"
 * @param overrides.dataDir a folder that `stop` keeps; by default a temporary one, which `stop` removes
 * @throws Error with the stack's output when it does not become ready
 */
export async function startStack(
  overrides: { env?: Record<string, string>; dataDir?: string } = {},
): Promise<SeparateStack> {
  const dataDir = overrides.dataDir ?? mkdtempSync(path.join(tmpdir(), 'boxoffice-test-'));
  const log = path.join(dataDir, 'stack.log');
  rmSync(log, { force: true });
  // Most tests register people, and a hash of 12 rounds takes a core 0.2 s.
  const defaults = { PASSWORD_HASH_ROUNDS: '4', PORT: '0', BOXOFFICE_DATA_DIR: dataDir };
  const env = { ...process.env, ...defaults, ...overrides.env };
  const child = startChild([process.execPath, main], { log, env, signal: 'TERM' });
  if (!(await untilReady(async () => requireText(log, 'Boxoffice is ready'), child.ended, startSeconds))) {
    await child.stop();
    throw new Error(`The stack did not start:\n${readFileSync(log, 'utf8')}`);
  }
  const description = JSON.parse(readFileSync(path.join(dataDir, 'stack.json'), 'utf8')) as StackDescription;
  return {
    ...withInvoke(description),
    dataDir,
    ...processControls(child, overrides.dataDir ? undefined : dataDir),
  };
}

function processControls(child: Child, temporaryDir: string | undefined) {
  return {
    kill: () => child.kill(),
    stop: async () => {
      await child.stop();
      if (temporaryDir) rmSync(temporaryDir, { recursive: true, force: true });
    },
  };
}

/** A message whose worker or answer was lost stays in flight for minutes. The tests of other work do not wait for it. */
const idleMilliseconds = 30_000;

function withInvoke(description: StackDescription): Stack {
  const invoke = async <Result>(functionName: string, event: unknown = {}): Promise<Result> => {
    const url = `${description.lambdaUrl}/2015-03-31/functions/${functionName}/invocations`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(event) });
    const text = await response.text();
    if (!response.ok || response.headers.has('x-amz-function-error')) {
      throw new Error(`${functionName}: ${text}`);
    }
    return JSON.parse(text) as Result;
  };
  const sweep = async () => {
    await invoke('workers-sweep');
    const deadline = Date.now() + idleMilliseconds;
    for (const queue of ['settle', 'event']) {
      while (!(await isQueueIdle(description.queueUrls[queue] ?? '')) && Date.now() < deadline)
        await wait(100);
    }
  };
  return { ...description, invoke, sweep };
}

function requireText(file: string, text: string): void {
  if (!readFileSync(file, 'utf8').includes(text)) throw new Error(`${file} does not contain "${text}" yet`);
}

/** Returns whether no message is waiting or in flight. */
export async function isQueueIdle(QueueUrl: string): Promise<boolean> {
  const response = await fetch(QueueUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.GetQueueAttributes',
    },
    body: JSON.stringify({ QueueUrl, AttributeNames: ['All'] }),
  });
  const { Attributes } = (await response.json()) as { Attributes: Record<string, string> };
  return ['', 'NotVisible'].every((state) => Number(Attributes[`ApproximateNumberOfMessages${state}`]) === 0);
}

/** Returns the environment variables that connect stores and operators' scripts to a stack's table. */
export function tableEnvironment(stack: StackDescription = sharedStack()) {
  return {
    TABLE_NAME: stack.tableName,
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbUrl,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}

/** Connects the stores in this process to a stack's table, for actions without an endpoint. */
export function connectToTable(stack: StackDescription = sharedStack()): void {
  Object.assign(process.env, tableEnvironment(stack));
}

/** Runs `npm run ops -- <command>` on a stack's table. @throws Error with the exit code and the output when it fails */
export function runOps(args: readonly string[], stack: StackDescription = sharedStack()) {
  const env = { ...process.env, ...tableEnvironment(stack) };
  return promisify(execFile)(process.execPath, [path.join(root, 'infra', 'ops', 'main.ts'), ...args], {
    env,
  });
}

const settings = resolveConfiguration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, process.env);

/** Formats of personal data and secrets. */
const leakPatterns: Record<string, RegExp> = {
  'an e-mail address': /[\w.+-]+@[\w-]+\.[a-z]{2,}/i,
  'a token': /eyJ[\w-]{8,}\.[\w-]+/,
  'a bearer token': /bearer\s+(?!\[redacted\])[^\s"']/i,
  'the token of a link': /[?&]token=[\w-]{20,}/,
  'a check-in code': /\bc[0-9a-z]{24}\.\d+\.v2-\d+\.[\w-]+/,
  'a cookie': /refreshToken=/,
  'a payment reference': /BOX-[A-Z0-9]{1,6}-\d{13}-[A-Z0-9]{8}/,
  'a password’s hash': /\$2[aby]\$\d\d\$/,
};
/** The values of the stack's secrets, and the password of the tests' users. */
const secrets = [...secretNames.map((name) => settings[name] ?? ''), 'correct horse battery'].filter(Boolean);

/**
 * Returns the lines of a log that contain secrets or personal data. Each line is prefixed with the name of the pattern,
 * or with the text, that it contains.
 * @param furtherTexts further texts that must not be logged
 */
export function findLeaks(log: string, furtherTexts: readonly string[] = []): string[] {
  return log
    .split('\n')
    .flatMap((line) => [
      ...Object.entries(leakPatterns).flatMap(([name, pattern]) =>
        pattern.test(line) ? [`${name}: ${line}`] : [],
      ),
      ...[...secrets, ...furtherTexts].flatMap((text) => (line.includes(text) ? [`${text}: ${line}`] : [])),
    ]);
}
