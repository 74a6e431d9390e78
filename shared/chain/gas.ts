import { splitList } from '../core/schemas.ts';
import { optionalSetting } from '../runtime/config.ts';
import type { Chain } from './chains.ts';
import type { RpcNode } from './connection.ts';

/** The largest gas limit of a transaction on chains with EIP-7825. The other chains allow more. */
const transactionGasCap = 2 ** 24;

/** The gas that a call of the ticket contract is expected to take, in its two parts. Chains reprice them separately. */
export interface ExpectedGas {
  /** The gas of everything but the creation of storage slots, with a margin. */
  execution: number;
  /** The number of storage slots that the call may create. */
  newSlots: number;
}

/** What the creation of a storage slot adds to the gas: today, and as proposed in EIP-8037 (64 bytes at 1,530). */
const slotGas = { today: 20_000, proposed: 97_920 };

// Measured (docs/contract.md): an order of one ticket takes 72,000 gas, a further order of the same transaction 51,000, and a
// further ticket 1,930; burning takes 10,100 a ticket, and locking 31,500 for a ticket of another order. An order creates two
// slots: its head, and its buyer's balance.
const executionGas = {
  transaction: 50_000,
  mintedOrder: 15_000,
  mintedTicket: 2_500,
  burnedTicket: 14_000,
  lockedTicket: 15_000,
};

/** The number of tickets of an order whose burns, from the 80th ticket on, share a slot. */
const burnsPerSlot = 256;

export function expectedMintGas(orders: number, tickets: number): ExpectedGas {
  const { transaction, mintedOrder, mintedTicket } = executionGas;
  return { execution: transaction + mintedOrder * orders + mintedTicket * tickets, newSlots: 2 * orders };
}

/** Returns the expected gas of burning consecutive tickets of one order. */
export function expectedBurnGas(tickets: number): ExpectedGas {
  return {
    execution: executionGas.transaction + executionGas.burnedTicket * tickets,
    newSlots: 1 + Math.ceil(tickets / burnsPerSlot),
  };
}

export function expectedLockGas(tickets: number): ExpectedGas {
  return { execution: executionGas.transaction + executionGas.lockedTicket * tickets, newSlots: tickets };
}

/** The expected gas of announcing changed metadata. */
export const expectedRefreshGas: ExpectedGas = { execution: executionGas.transaction, newSlots: 0 };

const totalGas = ({ execution, newSlots }: ExpectedGas, gasPerSlot: number) =>
  execution + newSlots * gasPerSlot;

/**
 * Reads the largest gas limit of a transaction on a chain at present.
 * @throws RpcError when the node returns an error; another Error when it does not answer in time
 */
export async function readGasCap(node: RpcNode): Promise<number> {
  const block = await node.call<{ gasLimit: string }>('eth_getBlockByNumber', ['latest', false]);
  return Math.min(transactionGasCap, Number(block.gasLimit));
}

/**
 * Returns the largest accepted estimate for a call of the ticket contract: the expected gas with the proposed price of new
 * slots, times the chain's ratio. On a chain whose estimates include the cost of data, it is the cap: the expected gas
 * does not include that cost.
 * @param cap the largest gas limit of a transaction on this chain
 */
export function gasCeiling(expected: ExpectedGas, cap: number, chain: Chain): number {
  if (chain.estimatesIncludeData) return cap;
  return Math.min(cap, Math.floor(maximumEstimateRatio(chain) * totalGas(expected, slotGas.proposed)));
}

/** The default is above 1, so calls still work after a chain reprices operations. */
const defaultEstimateRatio = 2;

/** Returns the largest accepted ratio of a node's estimate to the expected gas on a chain; see CHAIN_GAS_RATIOS. */
function maximumEstimateRatio({ id }: Chain): number {
  const ratios = splitList(optionalSetting('CHAIN_GAS_RATIOS') ?? '').map((entry) => entry.split('='));
  const [, ratio] = ratios.find(([chainId]) => chainId === String(id)) ?? [];
  return Number(ratio ?? defaultEstimateRatio);
}

/** Returns the gas limit to sign: 20 % above the estimate, and at least the expected gas at today's prices. */
export function gasLimit(estimate: number, expected: ExpectedGas, cap: number): bigint {
  const limit = Math.max(Math.ceil(estimate * 1.2), totalGas(expected, slotGas.today));
  return BigInt(Math.min(cap, limit));
}
