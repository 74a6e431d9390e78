import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from './client.ts';

export interface Floor {
  /** Sends an order and its confirmation to the floor server. @returns whether both succeeded */
  sell(): Promise<boolean>;
  stop(): void;
}

/** Starts the floor server on this process's table. */
export async function startFloor(): Promise<Floor> {
  const server = fork(path.join(import.meta.dirname, 'floor-server.ts'));
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const client = new Client(`http://127.0.0.1:${port}`);
  const post = async (step: string, id: string) =>
    (await client.post(step, JSON.stringify({ id }))).status === 200;
  await post('/open', '');
  let sold = 0;
  return {
    async sell() {
      const id = `${++sold}`;
      return (await post('/initialize', id)) && (await post('/confirm', id));
    },
    stop() {
      client.close();
      server.kill();
    },
  };
}
