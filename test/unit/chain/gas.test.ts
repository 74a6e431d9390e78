import { expect, it } from 'vitest';
import { getChain } from '../../../shared/chain/chains.ts';
import {
  expectedBurnGas,
  expectedMintGas,
  gasCeiling,
  gasLimit,
} from '../../../shared/chain/contract-calls.ts';
import { maximumOrderTickets } from '../../../shared/orders/order.ts';

/** The largest gas limit of a transaction (EIP-7825). */
const cap = 2 ** 24;

it.each([
  ['an order of the largest size', expectedMintGas(1, maximumOrderTickets)],
  ['the largest batch of orders', expectedMintGas(40, 2_000)],
  ['the largest order that earlier versions sold', expectedMintGas(1, 5_000)],
  ['burning an order of the largest size', expectedBurnGas(maximumOrderTickets)],
])('%s fits into one transaction', (_what, expected) => {
  expect(expected).toBeLessThan(cap);
  expect(gasLimit(expected, expected, cap)).toBeLessThanOrEqual(BigInt(cap));
});

it('the ceiling of an estimate is twice the expected gas, and at most the cap of a transaction', () => {
  expect(gasCeiling(expectedMintGas(1, 1), cap, getChain(137))).toBe(2 * expectedMintGas(1, 1));
  expect(gasCeiling(expectedMintGas(1, 5_000), cap, getChain(137))).toBe(cap);
  expect(gasCeiling(expectedMintGas(1, 1), 100_000, getChain(137))).toBe(100_000);
});

it('the ceiling is the cap of a transaction on a chain whose estimates include the cost of calldata', () => {
  expect(gasCeiling(expectedMintGas(1, 1), cap, getChain(42161))).toBe(cap);
});

it('the gas limit is a fifth above the estimate, at least the expected gas, and at most the cap of a transaction', () => {
  expect(gasLimit(1_000_000, 100_000, cap)).toBe(1_200_000n);
  expect(gasLimit(100_000, 150_000, cap)).toBe(150_000n);
  expect(gasLimit(16_000_000, 100_000, cap)).toBe(BigInt(cap));
});
