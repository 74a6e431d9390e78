import type { Chain } from './chains.ts';
import type { RpcNode } from './connection.ts';

/** The largest gas limit of a transaction on chains with EIP-7825. The other chains allow more. */
const transactionGasCap = 2 ** 24;

// Measured: an order of one ticket takes 72,000 gas, a further order of the same transaction 51,000, a further ticket
// 2,050; burning takes 12,000 a ticket (docs/contract.md).
const gasCosts = {
  transaction: 50_000,
  mintedOrder: 55_000,
  mintedTicket: 2_500,
  burnedTicket: 14_000,
};

/**
 * The largest accepted ratio of a node's estimate to the expected gas. It is above 1, so that mints still work after a
 * chain reprices operations.
 */
const maximumEstimateRatio = 2;

/** Returns the expected gas of minting, with a margin. */
export function expectedMintGas(orders: number, tickets: number): number {
  return gasCosts.transaction + gasCosts.mintedOrder * orders + gasCosts.mintedTicket * tickets;
}

/** Returns the expected gas of burning, with a margin. */
export function expectedBurnGas(tickets: number): number {
  return gasCosts.transaction + gasCosts.burnedTicket * tickets;
}

/**
 * Reads the largest gas limit of a transaction on a chain at present.
 * @throws RpcError when the node returns an error; another Error when it does not answer in time
 */
export async function readGasCap(node: RpcNode): Promise<number> {
  const block = await node.call<{ gasLimit: string }>('eth_getBlockByNumber', ['latest', false]);
  return Math.min(transactionGasCap, Number(block.gasLimit));
}

/**
 * Returns the largest accepted estimate for a call of the ticket contract. On a chain whose estimates include the cost
 * of data, it is the cap, since the expected gas does not include that cost.
 * @param expected the expected gas
 * @param cap the largest gas limit of a transaction on this chain
 */
export function gasCeiling(expected: number, cap: number, { estimatesIncludeData }: Chain): number {
  return estimatesIncludeData ? cap : Math.min(cap, maximumEstimateRatio * expected);
}

/** Returns the gas limit to sign: 20 % above the estimate, and at least the expected gas. */
export function gasLimit(estimate: number, expected: number, cap: number): bigint {
  return BigInt(Math.min(cap, Math.max(Math.ceil(estimate * 1.2), expected)));
}
