import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { id } from 'ethers';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import artifact from '../../infra/contracts/ticket-contract.json' with { type: 'json' };
import { getChain } from '../../shared/chain/chains.ts';
import { RpcNode } from '../../shared/chain/connection.ts';
import { simulateMint } from '../../shared/chain/contract-calls.ts';
import { expectedMintGas, gasCeiling, readGasCap } from '../../shared/chain/gas.ts';
import { type Chain, type DeployedContract, startChain } from './chain.ts';

/** A node that changes the estimates of the chain's own node. */
let changeEstimate: (gas: number) => number;
const proxy = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const { result, ...rest } = (await (
    await fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // The chain's own node does not know the changed prices, so it must not apply the caller's limit.
      body: JSON.stringify(
        body.method === 'eth_estimateGas'
          ? { ...body, params: [{ ...body.params[0], gas: undefined }] }
          : body,
      ),
    })
  ).json()) as { result: string };
  const changed =
    body.method === 'eth_estimateGas' ? `0x${changeEstimate(Number(result)).toString(16)}` : result;
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...rest, result: changed }));
});

let chain: Chain;
let tickets: DeployedContract;
let node: RpcNode;
beforeAll(async () => {
  chain = await startChain();
  const [admin = ''] = chain.accounts;
  tickets = await chain.deploy(admin, artifact, ['T', 'T', '', true, admin, [admin], [admin], '']);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  node = new RpcNode(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, 4_000);
}, 60_000);
afterAll(async () => {
  proxy.close();
  await chain?.stop();
});
afterEach(() => vi.unstubAllEnvs());

/** Simulates the mint of an order of this size as the mint worker does. */
async function mint(quantity: number) {
  const [minter = '', buyer = ''] = chain.accounts;
  const ceiling = gasCeiling(expectedMintGas(1, quantity), await readGasCap(node), getChain(137));
  const order = { orderKey: id('an order'), to: buyer, quantity };
  return simulateMint(node, minter, tickets.address, [order], ceiling);
}

test.each([1, 2, 5, 9, 10, 50, 500])(
  'an order of %i can be minted at the price of EIP-8037 for new slots, without a setting',
  async (quantity) => {
    // The two slots of an order cost 97,920 instead of 20,000.
    changeEstimate = (gas) => gas + 2 * 77_920;
    expect(await mint(quantity)).toHaveProperty('gas');
  },
);

test('a node that multiplies its estimates is refused above the chain’s ratio, which can be raised', async () => {
  changeEstimate = (gas) => 6 * gas;
  expect(await mint(1)).toHaveProperty('gas');
  changeEstimate = (gas) => 8 * gas;
  expect(await mint(1)).toMatchObject({ refusal: { code: 'too-much-gas' } });
  vi.stubEnv('CHAIN_GAS_RATIOS', '1=9,137=3');
  expect(await mint(1)).toHaveProperty('gas');
  vi.stubEnv('CHAIN_GAS_RATIOS', '1=9');
  expect(await mint(1)).toMatchObject({ refusal: { code: 'too-much-gas' } });
});

test('no ratio admits more than a transaction may use', async () => {
  changeEstimate = () => 2 ** 24 + 1;
  vi.stubEnv('CHAIN_GAS_RATIOS', '137=100');
  expect(await mint(1)).toMatchObject({ refusal: { code: 'too-much-gas' } });
});
