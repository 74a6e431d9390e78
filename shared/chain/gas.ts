import type { Chain } from './chains.ts';
import type { Endpoint } from './connection.ts';

/** The most gas a transaction may ask for on chains with EIP-7825; within the limits of the other chains. */
const transactionCap = 2 ** 24;

// Measured: an order of one ticket takes 72,000 gas, a further order of the same transaction 51,000, a further ticket
// 2,050; burning takes 12,000 a ticket (docs/contract.md).
const table = {
  transaction: 50_000,
  mintedOrder: 55_000,
  mintedTicket: 2_500,
  burnedTicket: 14_000,
};

/** How much more than the table an estimate may be: chains reprice operations, and ours must not fail for that. */
const margin = 2;

/** Returns what minting takes, with some room. */
export function mintGas(orders: number, tickets: number): number {
  return table.transaction + table.mintedOrder * orders + table.mintedTicket * tickets;
}

/** Returns what burning takes, with some room. */
export function burnGas(tickets: number): number {
  return table.transaction + table.burnedTicket * tickets;
}

/** Reads the most gas a transaction can use on a chain now. @throws when the node does not answer */
export async function readGasCap(endpoint: Endpoint): Promise<number> {
  const block = await endpoint.call<{ gasLimit: string }>('eth_getBlockByNumber', ['latest', false]);
  return Math.min(transactionCap, Number(block.gasLimit));
}

/**
 * Returns the most gas that a call of our contract may be estimated to take.
 * @param expected by the table
 * @param cap of a transaction on this chain
 */
export function gasCeiling(expected: number, cap: number, { estimatesIncludeData }: Chain): number {
  return estimatesIncludeData ? cap : Math.min(cap, margin * expected);
}

/** Returns the gas limit to sign: a fifth above the estimate, and at least what the table says. */
export function gasLimit(estimate: number, expected: number, cap: number): bigint {
  return BigInt(Math.min(cap, Math.max(Math.ceil(estimate * 1.2), expected)));
}
