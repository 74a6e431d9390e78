import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Wallet } from 'ethers/wallet';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { mintTickets } from '../../../shared/nft/minting/mint-tickets.ts';

const keys = [1, 2].map((digit) => `0x${String(digit).repeat(64)}`);
const [rich = '', poor = ''] = keys.map((key) => new Wallet(key).address);
const balances: Record<string, bigint> = { [rich]: 25n * 10n ** 17n, [poor]: 0n };

let node: Server;
beforeAll(async () => {
  node = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse((await request.toArray()).join(''));
    if (method !== 'eth_getBalance') throw new Error(`Unexpected ${method}`);
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${balances[params[0]]?.toString(16)}` }));
  });
  await new Promise<void>((listening) => node.listen(0, '127.0.0.1', listening));
});
afterAll(() => node.close());

it('the minting worker reports the balance of every account, before it mints anything', async () => {
  vi.stubEnv('MINTER_PRIVATE_KEY', keys.join(','));
  vi.stubEnv('CHAIN_137_RPC_URLS', `http://127.0.0.1:${(node.address() as AddressInfo).port}`);
  const lines: string[] = [];
  const written = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((line) => lines.push(String(line)) > 0);
  // A chain without nodes has nothing to report.
  const failed = await mintTickets([
    { type: 'report-balances', chainId: 137 },
    { type: 'report-balances', chainId: 1 },
  ]);
  written.mockRestore();
  expect(failed).toEqual([]);
  const reported = lines.map((line) => JSON.parse(line)).filter(({ signer }) => signer);
  expect(reported.map(({ chain, signer, MinterBalance }) => [chain, signer, MinterBalance])).toEqual([
    ['137', rich, 2.5],
    ['137', poor, 0],
  ]);
});
