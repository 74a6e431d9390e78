import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { resolveConfiguration } from '../../../infra/local/defaults.ts';
import type { LoadResult } from './run-load.ts';
import type { Stack } from './stack.ts';

/** Orders to process for some seconds, `concurrency` at a time. */
export interface FloorLoad {
  concurrency: number;
  seconds: number;
  /** How many orders are fulfilled together, on average: as many as by the service. */
  ordersPerBatch: number;
}

/** The baseline for the service's throughput: floor-loop.ts makes an order's requests to other services, and no more. */
export interface Floor {
  run(load: FloorLoad): Promise<LoadResult>;
  stop(): void;
}

/** Starts floor-loop.ts in a child process, on the stack's table, queues, sandbox and mailbox. */
export function startFloor({
  sandboxUrl,
  sqsUrl,
  mailUrl,
}: Pick<Stack, 'sandboxUrl' | 'sqsUrl' | 'mailUrl'>): Floor {
  const settings = resolveConfiguration({ apiUrl: '', sandboxUrl, chainRpcUrl: '' }, {});
  const endpoints = { AWS_ENDPOINT_URL_SQS: sqsUrl, AWS_ENDPOINT_URL_SESV2: mailUrl };
  const loop = fork(path.join(import.meta.dirname, 'floor-loop.ts'), {
    env: { ...process.env, ...settings, ...endpoints },
  });
  return {
    async run(load) {
      loop.send(load);
      const [result] = await once(loop, 'message');
      return result;
    },
    stop: () => loop.kill(),
  };
}
