import type { Chain } from './chains.ts';
import type { Endpoint } from './endpoint.ts';

/** The newest block that stays. */
export async function finalBlock(endpoint: Endpoint, { finality }: Chain): Promise<number> {
  if (finality === 'finalized') {
    const block = await endpoint.call<{ number: string }>('eth_getBlockByNumber', ['finalized', false]);
    return Number(block.number);
  }
  const latest = Number(await endpoint.call<string>('eth_blockNumber', []));
  return Math.max(0, latest - finality + 1);
}
