import { describe, expect, it } from 'vitest';
import { getChain } from '../../../shared/chain/chains.ts';
import { RpcError, type RpcNode } from '../../../shared/chain/connection.ts';
import { broadcast } from '../../../shared/chain/transactions.ts';

type Answer = string | Error;

const refusal = (message: string) => new RpcError({ code: -32000, message });

async function isInvalid(...answers: Answer[]): Promise<boolean> {
  const nodes = answers.map(
    (answer) =>
      ({ call: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)) }) as never,
  ) as RpcNode[];
  return (await broadcast({ chain: getChain(137), nodes }, '0x02')).isInvalid;
}

const gasTooHigh = 'transaction gas limit too high (cap: 16777216, tx: 26000000)';

describe('a transaction', () => {
  it.each([
    ['geth', gasTooHigh],
    ['geth', 'exceeds block gas limit'],
    ['geth', 'intrinsic gas too low: gas 20000, minimum needed 21000'],
    ['geth', 'insufficient gas for floor data gas cost: gas 25000, minimum needed 33000'],
    ['geth', 'oversized data: transaction size 140000, limit 131072'],
    ['geth', 'transaction type not supported'],
    ['geth', 'tx fee (12.00 ether) exceeds the configured cap (1.00 ether)'],
    ['reth', 'transaction gas limit (26000000) is greater than the cap (16777216)'],
    ['besu', 'Transaction gas limit exceeds block gas limit'],
    ['anvil', 'intrinsic gas too high -- tx.gas_limit > env.cfg.tx_gas_limit_cap'],
    ['anvil', 'intrinsic gas too low'],
  ])('is invalid when %s responds "%s"', async (_node, message) => {
    expect(await isInvalid(refusal(message))).toBe(true);
  });

  it.each([
    'nonce too low: next nonce 7, tx nonce 5',
    'already known',
    'replacement transaction underpriced',
    'transaction underpriced: gas tip cap 1, minimum needed 25',
    'insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1',
    'max fee per gas less than block base fee',
    'txpool is full',
    'rate limit exceeded',
    'Internal error',
  ])('is not invalid when a node responds "%s"', async (message) => {
    expect(await isInvalid(refusal(message))).toBe(false);
  });

  it('is invalid only when every node refuses it as invalid', async () => {
    expect(await isInvalid(refusal(gasTooHigh), refusal(gasTooHigh))).toBe(true);
    expect(await isInvalid(refusal(gasTooHigh), '0xhash')).toBe(false);
    expect(await isInvalid(refusal(gasTooHigh), refusal('already known'))).toBe(false);
    expect(await isInvalid(refusal(gasTooHigh), new TypeError('fetch failed'))).toBe(false);
    expect(await isInvalid(new Error(gasTooHigh))).toBe(false);
  });
});
