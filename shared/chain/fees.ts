/** What a transaction offers per unit of gas, in wei (EIP-1559). */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** What gets a transaction mined now, and for about six full blocks, in which the base fee can double. */
export function marketFees(baseFee: bigint, tip: bigint, ceiling: bigint): Fees {
  return capped({ maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip }, ceiling);
}

/**
 * What replaces a transaction of the same nonce: a fifth more of both, since nodes refuse less than a tenth
 * more of either, or the market's fees where those are higher.
 * @returns undefined when the ceiling leaves no room for a replacement
 */
export function replacementFees(previous: Fees, market: Fees, ceiling: bigint): Fees | undefined {
  const maxFeePerGas = larger(raised(previous.maxFeePerGas), market.maxFeePerGas);
  const maxPriorityFeePerGas = larger(raised(previous.maxPriorityFeePerGas), market.maxPriorityFeePerGas);
  const fees = capped({ maxFeePerGas, maxPriorityFeePerGas }, ceiling);
  const replaces =
    fees.maxFeePerGas >= leastReplacing(previous.maxFeePerGas) &&
    fees.maxPriorityFeePerGas >= leastReplacing(previous.maxPriorityFeePerGas);
  return replaces ? fees : undefined;
}

/** Whether an offer is less than what a block takes now: the market's is twice its base fee. */
export function isBelowMarket(offer: Fees, market: Fees): boolean {
  return offer.maxFeePerGas * 2n < market.maxFeePerGas;
}

function capped({ maxFeePerGas, maxPriorityFeePerGas }: Fees, ceiling: bigint): Fees {
  const fee = smaller(maxFeePerGas, ceiling);
  return { maxFeePerGas: fee, maxPriorityFeePerGas: smaller(maxPriorityFeePerGas, fee) };
}

/** A fifth more, rounded up, and at least one wei. */
const raised = (fee: bigint) => larger((fee * 6n + 4n) / 5n, fee + 1n);
/** A tenth more, rounded up, and at least one wei. */
const leastReplacing = (fee: bigint) => larger((fee * 11n + 9n) / 10n, fee + 1n);
const larger = (a: bigint, b: bigint) => (a > b ? a : b);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
