import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chain, startChain } from './chain.ts';
import { formatGasTable, type GasMeasurements, measureGas, quantities, readDocumentedTable } from './gas.ts';

let chain: Chain;
let gas: GasMeasurements;

beforeAll(async () => {
  chain = await startChain();
  gas = await measureGas(chain);
}, 60_000);
afterAll(() => chain?.stop());

test.each([
  [1, 72_100],
  [2, 74_000],
  [5, 80_000],
  [10, 90_000],
  [50, 167_000],
  [500, 1_037_000],
])('an order of %i is minted with at most %i gas', (quantity, ceiling) => {
  expect(gas.boxoffice.mint[quantity]).toBeLessThanOrEqual(ceiling);
});

test('ten orders of one ticket in one transaction take at most 52,500 gas each', () => {
  expect(gas.boxoffice.batchedMint).toBeLessThanOrEqual(52_500);
});

test.each([
  ['a ticket', 'burn', 45_000],
  ['ten tickets of one order', 'burnOrder', 137_000],
  ['ten tickets of ten orders', 'burnOrders', 180_000],
] as const)('burning %s takes at most %s', (_, call, ceiling) => {
  expect(gas.boxoffice.roles?.[call]).toBeLessThanOrEqual(ceiling);
});

test('locking a ticket takes at most 58,500 gas, and costs other transfers at most 2,300', () => {
  expect(gas.boxoffice.roles?.lock).toBeLessThanOrEqual(58_500);
  const { roles, transfer } = gas.boxoffice;
  expect((roles?.transferWithLocks ?? Number.NaN) - transfer).toBeLessThanOrEqual(2_300);
});

test('a repeated mint of the same order takes at most 28,000 gas', () => {
  expect(gas.boxoffice.replay).toBeLessThanOrEqual(28_000);
});

test('the first transfer of a ticket takes at most 85,000 gas', () => {
  expect(gas.boxoffice.transfer).toBeLessThanOrEqual(85_000);
});

test.each([
  ['an ERC721A contract', 'erc721a'],
  ['a plain OpenZeppelin contract', 'plain'],
] as const)('minting takes less gas than with %s at each quantity of the table', (_, other) => {
  for (const quantity of quantities) {
    expect(gas.boxoffice.mint[quantity]).toBeLessThan(gas[other].mint[quantity] as number);
  }
  expect(gas.boxoffice.batchedMint).toBeLessThan(gas[other].batchedMint);
});

test('the table in docs/contract.md matches the measured gas (else: npm run gas)', () => {
  expect(readDocumentedTable()).toBe(formatGasTable(gas));
});
