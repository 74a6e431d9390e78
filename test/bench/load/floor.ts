import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { configuration } from '../../../infra/local/defaults.ts';
import type { Driven } from './drive.ts';
import type { Stack } from './stack.ts';

export interface Floor {
  /** Sells for some seconds, with so many orders at a time. */
  drive(load: { concurrency: number; seconds: number }): Promise<Driven>;
  stop(): void;
}

/** Starts the floor's loop on the table, the queues and the sandbox of the stack. */
export function startFloor({ sandboxUrl, sqsUrl }: Stack): Floor {
  const settings = configuration({ apiUrl: '', sandboxUrl, chainRpcUrl: '' }, {});
  const loop = fork(path.join(import.meta.dirname, 'floor-loop.ts'), {
    env: { ...process.env, ...settings, AWS_ENDPOINT_URL_SQS: sqsUrl },
  });
  return {
    async drive(load) {
      loop.send(load);
      const [driven] = await once(loop, 'message');
      return driven;
    },
    stop: () => loop.kill(),
  };
}
