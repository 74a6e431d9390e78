import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { resolveConfiguration } from '../../../infra/local/defaults.ts';
import { credentials, region } from '../../../infra/local/services/aws.ts';
import type { StackDescription } from '../../../infra/local/stack.ts';

const root = path.resolve(import.meta.dirname, '..', '..', '..');

export interface Stack extends StackDescription {
  /** The key that signs gateway-a's webhooks. */
  gatewaySecret: string;
  /** The process of the functions, the HTTP front and the queues. */
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts the local stack of `npm start` in a separate process on free ports, and points this process's stores at its
 * table.
 * @param tree the repository whose stack it is
 */
export async function startStack(
  directory: string,
  tree = root,
  env: Record<string, string> = {},
): Promise<Stack> {
  const settings = resolveConfiguration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, {});
  const child = spawn(process.execPath, [path.join(tree, 'infra', 'local', 'main.ts')], {
    // With `npm_lifecycle_event`, the stack ends when its parent process ends, even if this process crashes.
    env: {
      PATH: process.env.PATH,
      npm_lifecycle_event: 'bench',
      PORT: '0',
      BOXOFFICE_DATA_DIR: directory,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.includes('is ready') && resolve());
  });
  await Promise.race([ready, ended.then(() => Promise.reject(new Error('The local stack did not start')))]);
  const description: StackDescription = JSON.parse(readFileSync(path.join(directory, 'stack.json'), 'utf8'));
  Object.assign(process.env, {
    TABLE_NAME: description.tableName,
    AWS_ENDPOINT_URL_DYNAMODB: description.dynamodbUrl,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    JWT_ACCESS_SECRET: settings.JWT_ACCESS_SECRET,
  });
  return {
    ...description,
    pid: child.pid ?? 0,
    gatewaySecret: settings.GATEWAY_A_SECRET ?? '',
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Returns a function that posts to a stack's API and returns the answer. It throws on any other than 2xx. */
export const createPost = (apiUrl: string) => async (path: string, body: object, token?: string) => {
  const headers = {
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  // biome-ignore lint/suspicious/noExplicitAny: each caller reads the fields that it needs
  return (await response.json()) as any;
};
