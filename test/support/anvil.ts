import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { findAnvil } from '../../infra/local/services/chain.ts';
import { eventually } from './eventually.ts';

/** Enables EIP-7825's limit of 2^24 gas per transaction, which anvil disables by default. */
const gasLimitOptions = ['--hardfork', 'osaka', '--enable-tx-gas-limit'];

export interface Anvil {
  url: string;
  chainId: number;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts anvil, an EVM node, on a free loopback port. By default it mines every transaction at once.
 * @param args further command-line arguments of anvil
 * @throws Error when anvil is not installed or does not respond within 30 seconds
 */
export async function startAnvil({ chainId = 31337, args = [] as string[] } = {}): Promise<Anvil> {
  const port = await findFreePort();
  const child = spawn(
    findAnvil() ?? 'anvil',
    [
      '--host',
      '127.0.0.1',
      '--port',
      `${port}`,
      '--chain-id',
      `${chainId}`,
      '--quiet',
      ...gasLimitOptions,
      ...args,
    ],
    { stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const failed = new Promise<never>((_, reject) => {
    child.once('error', ({ message }) => reject(new Error(`anvil can't be started: ${message}`)));
    child.once('close', (code) => reject(new Error(`anvil ended with code ${code}`)));
  });
  failed.catch(() => {});
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };

  const url = `http://127.0.0.1:${port}`;
  await Promise.race([waitForResponse(url), failed]).catch(async (error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return { url, chainId, pid: child.pid ?? 0, stop };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function waitForResponse(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'content-type': 'application/json' };
  const isUp = () =>
    fetch(url, { method: 'POST', headers, body })
      .then(({ ok }) => ok)
      .catch(() => false);
  await eventually('anvil answers', isUp, { seconds: 30, intervalMilliseconds: 25 });
}
