import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { getChain } from '../../../shared/chain/chains.ts';
import {
  ChainUnreachable,
  connect,
  findAgreedAnswer,
  RpcError,
  type RpcNode,
  readFromAllNodes,
  readFromAnyNode,
} from '../../../shared/chain/connection.ts';
import {
  expectedBurnGas,
  expectedLockGas,
  expectedMintGas,
  gasCeiling,
  gasLimit,
} from '../../../shared/chain/gas.ts';
import {
  broadcast,
  findReplacementFees,
  isBelowMarket,
  toMarketFees,
} from '../../../shared/chain/transactions.ts';
import { maximumOrderTickets } from '../../../shared/orders/order.ts';

const fees = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas });
const ceiling = 1_000n;

describe('market fees', () => {
  it('cover a doubled base fee', () => {
    expect(toMarketFees(100n, 7n, ceiling)).toEqual(fees(207n, 7n));
  });

  it('do not exceed the ceiling, including the tip', () => {
    expect(toMarketFees(900n, 7n, ceiling)).toEqual(fees(1_000n, 7n));
    expect(toMarketFees(1n, 5_000n, ceiling)).toEqual(fees(1_000n, 1_000n));
  });
});

describe('the fees of a replacement', () => {
  it('raise both fees by a fifth', () => {
    expect(findReplacementFees(fees(100n, 10n), fees(1n, 1n), ceiling)).toEqual(fees(120n, 12n));
  });

  it('use the market’s fee where it is higher', () => {
    expect(findReplacementFees(fees(100n, 10n), fees(300n, 11n), ceiling)).toEqual(fees(300n, 12n));
  });

  it('rise from zero', () => {
    expect(findReplacementFees(fees(1n, 0n), fees(0n, 0n), ceiling)).toEqual(fees(2n, 1n));
  });

  it('are raised by less than a fifth when the ceiling leaves room for a tenth', () => {
    expect(findReplacementFees(fees(900n, 10n), fees(1n, 1n), ceiling)).toEqual(fees(1_000n, 12n));
  });

  it('are undefined when the ceiling is below what nodes require', () => {
    expect(findReplacementFees(fees(950n, 10n), fees(1n, 1n), ceiling)).toBeUndefined();
  });

  it('always meet the nodes’ rule for replacements, and never exceed the ceiling', () => {
    const amount = fc.bigInt(0n, 10n ** 12n);
    fc.assert(
      fc.property(amount, amount, amount, amount, amount, (fee, tip, baseFee, marketTip, ceiling) => {
        const before = fees(fee + tip, tip);
        const after = findReplacementFees(before, toMarketFees(baseFee, marketTip, ceiling), ceiling);
        if (!after) return;
        expect(after.maxFeePerGas).toBeLessThanOrEqual(ceiling);
        expect(after.maxPriorityFeePerGas).toBeLessThanOrEqual(after.maxFeePerGas);
        expect(after.maxFeePerGas * 10n).toBeGreaterThanOrEqual(before.maxFeePerGas * 11n);
        expect(after.maxPriorityFeePerGas * 10n).toBeGreaterThanOrEqual(before.maxPriorityFeePerGas * 11n);
        expect(after.maxFeePerGas).toBeGreaterThan(before.maxFeePerGas);
      }),
    );
  });
});

describe('the fees of a transaction', () => {
  it('are below the market when they are below the base fee', () => {
    expect(isBelowMarket(fees(99n, 1n), toMarketFees(100n, 0n, ceiling))).toBe(true);
    expect(isBelowMarket(fees(100n, 1n), toMarketFees(100n, 0n, ceiling))).toBe(false);
  });
});

/** The largest gas limit of a transaction (EIP-7825). */
const cap = 2 ** 24;

it.each([
  ['an order of the largest size', expectedMintGas(1, maximumOrderTickets)],
  ['the largest batch of orders', expectedMintGas(40, 2_000)],
  ['the largest order of the contract', expectedMintGas(1, 5_000)],
  ['burning an order of the largest size', expectedBurnGas(maximumOrderTickets)],
  ['the largest batch of locks', expectedLockGas(40)],
])('%s fits into one transaction, also at the price of EIP-8037 for new slots', (_what, expected) => {
  expect(expected.execution + expected.newSlots * 97_920).toBeLessThan(cap);
});

it('the ceiling of an estimate is twice the expected gas with dear slots, and at most the cap of a transaction', () => {
  const expected = { execution: 100_000, newSlots: 2 };
  expect(gasCeiling(expected, cap, getChain(137))).toBe(2 * (100_000 + 2 * 97_920));
  expect(gasCeiling(expectedMintGas(1, 5_000), cap, getChain(137))).toBe(cap);
  expect(gasCeiling(expectedMintGas(1, 1), 100_000, getChain(137))).toBe(100_000);
});

it('the ceiling is the cap of a transaction on a chain whose estimates include the cost of calldata', () => {
  expect(gasCeiling(expectedMintGas(1, 1), cap, getChain(42161))).toBe(cap);
});

it('the ratio of the ceiling can be set for a chain', () => {
  vi.stubEnv('CHAIN_GAS_RATIOS', '1=3,137=2.5');
  const expected = { execution: 100_000, newSlots: 0 };
  expect([1, 137, 10].map((id) => gasCeiling(expected, cap, getChain(id)))).toEqual([
    300_000, 250_000, 200_000,
  ]);
  vi.unstubAllEnvs();
});

it('the gas limit is a fifth above the estimate, at least the expected gas, and at most the cap of a transaction', () => {
  const expected = { execution: 110_000, newSlots: 2 };
  expect(gasLimit(1_000_000, expected, cap)).toBe(1_200_000n);
  expect(gasLimit(100_000, expected, cap)).toBe(150_000n);
  expect(gasLimit(16_000_000, expected, cap)).toBe(BigInt(cap));
});

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

async function connectTo(count: number) {
  vi.stubEnv(
    'CHAIN_137_RPC_URLS',
    Array.from({ length: count }, (_, index) => `http://node${index}`).join(' , '),
  );
  const connection = await connect(137);
  if (!connection) throw new Error('No connection');
  return connection;
}

afterEach(() => vi.unstubAllEnvs());

describe('a chain', () => {
  it.each([undefined, '', ' , '])('without endpoints (%j) is not connected', async (urls) => {
    vi.stubEnv('CHAIN_137_RPC_URLS', urls);
    expect(await connect(137)).toBeUndefined();
  });

  it('is read from the first node that answers', async () => {
    const connection = await connectTo(3);
    const read = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValueOnce('second');
    expect(await readFromAnyNode(connection, read)).toBe('second');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('is unreachable when no node answers', async () => {
    const read = vi.fn().mockRejectedValue(new Error('down'));
    await expect(readFromAnyNode(await connectTo(2), read)).rejects.toThrow(ChainUnreachable);
  });

  it('is read from all nodes that answer', async () => {
    const read = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValue('here');
    expect(await readFromAllNodes(await connectTo(3), read)).toEqual(['here', 'here']);
  });
});

describe('an agreed answer', () => {
  it('is the answer of the only node', async () => {
    expect(findAgreedAnswer(await connectTo(1), [{ a: 1 }])).toEqual({ a: 1 });
  });

  it('is the answer on which two nodes agree', async () => {
    expect(findAgreedAnswer(await connectTo(2), [{ a: 1 }, { a: 1 }])).toEqual({ a: 1 });
    expect(findAgreedAnswer(await connectTo(3), [{ a: 2 }, { a: 1 }, { a: 1 }])).toEqual({ a: 1 });
  });

  it('is undefined when two nodes differ, or one of two does not answer', async () => {
    expect(findAgreedAnswer(await connectTo(2), [{ a: 1 }, { a: 2 }])).toBeUndefined();
    expect(findAgreedAnswer(await connectTo(2), [{ a: 1 }])).toBeUndefined();
    expect(findAgreedAnswer(await connectTo(1), [])).toBeUndefined();
  });
});
