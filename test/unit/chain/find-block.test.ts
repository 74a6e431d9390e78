import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RpcNode } from '../../../shared/chain/connection.ts';
import { findFirstBlock } from '../../../shared/chain/find-block.ts';
import { type Anvil, startAnvil } from '../../support/chain.ts';

/** Finds blocks of a real node by their times. */
describe('the first block at or after a time', () => {
  const start = 2_000_000_000;
  let node: Anvil;
  let endpoint: RpcNode;
  const mine = async (second: number) => {
    await endpoint.call('evm_setNextBlockTimestamp', [start + second]);
    await endpoint.call('evm_mine', []);
  };
  beforeAll(async () => {
    node = await startAnvil({ args: ['--timestamp', `${start}`] });
    endpoint = new RpcNode(node.url);
    // Blocks 1 to 20, with ten seconds between them.
    for (let number = 1; number <= 20; number++) await mine(10 * number);
    vi.stubEnv(`CHAIN_${node.chainId}_RPC_URLS`, node.url);
  }, 60_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await node.stop();
  });

  const find = (second: number) => findFirstBlock(node.chainId, (start + second) * 1_000);
  const hashOf = async (number: number) => {
    const tag = `0x${number.toString(16)}`;
    const { hash } = await endpoint.call<{ hash: string }>('eth_getBlockByNumber', [tag, false]);
    return hash.slice(2);
  };

  it.each([
    [1, 1],
    [10, 1],
    [10.5, 2],
    [95, 10],
    [180, 18],
  ])('is, %f s after the start of the chain, block %i', async (second, number) => {
    expect(await find(second)).toEqual({ number, hash: await hashOf(number) });
  });

  it('is not taken before it is final, since another block may replace it', async () => {
    expect(await find(181)).toBe('not-final');
    expect(await find(200)).toBe('not-final');
    const replaced = await hashOf(20);
    await endpoint.call('anvil_rollback', [1]);
    await mine(201);
    expect(await hashOf(20)).not.toBe(replaced);
    await mine(210);
    expect(await find(200)).toBe('not-final');
    await mine(220);
    expect(await find(200)).toEqual({ number: 20, hash: await hashOf(20) });
  });

  it('does not exist before it is mined', async () => {
    expect(await find(1_000_000)).toBeUndefined();
  });

  it('is not known where no node answers, and none where no node is configured', async () => {
    vi.stubEnv(`CHAIN_${node.chainId}_RPC_URLS`, 'http://127.0.0.1:1');
    expect(await find(10)).toBeUndefined();
    vi.stubEnv(`CHAIN_${node.chainId}_RPC_URLS`, '');
    expect(await find(10)).toBe('none');
    vi.stubEnv(`CHAIN_${node.chainId}_RPC_URLS`, node.url);
  });
});
