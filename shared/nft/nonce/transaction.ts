import type { Order } from '../../orders/order.ts';

/** One nonce of one signer on one chain. */
export interface NonceReference {
  chainId: number;
  signer: string;
  nonce: number;
}

/**
 * A nonce and the transactions that were signed for it. It stays bound to the same orders, or the same burn,
 * permanently: only attempts are appended. Its progress is not stored here, but read from the chain and from its
 * orders.
 */
export interface MintTransaction extends NonceReference {
  contract: string;
  /** The orders that it mints; empty for a burn, and for a nonce that was cancelled before anything was bound to it. */
  orderIds: string[];
  /** The id of the burn that it is for; see `burnId`. */
  burnOf?: string;
  /** The signed transactions, oldest first. Each is stored before it is broadcast. */
  attempts: Attempt[];
}

export interface Attempt {
  /** The signed transaction, hex. */
  raw: string;
  /** When it was signed, epoch milliseconds. */
  at: number;
}

/** Identifies a nonce across chains and signers. */
export function nonceName({ chainId, signer, nonce }: NonceReference): string {
  return `${chainId} ${signer} ${nonce}`;
}

/** Returns whether the order is bound to this nonce. */
export function isBoundToNonce({ mint }: Order, { chainId, signer, nonce }: NonceReference): boolean {
  return mint?.chainId === chainId && mint.signer === signer && mint.nonce === nonce;
}

/** Returns whether this nonce mints the order, or has minted it. False, for example, once the order's refund is due. */
export function isMintedByNonce(order: Order, reference: NonceReference): boolean {
  const { fulfilmentStatus } = order;
  return (
    isBoundToNonce(order, reference) && (fulfilmentStatus === 'minting' || fulfilmentStatus === 'minted')
  );
}

/** Returns whether a nonce's transaction is still needed. Always true for a burn, since repeating it is harmless. */
export function isTransactionNeeded(transaction: MintTransaction, orders: readonly Order[]): boolean {
  return transaction.burnOf !== undefined || orders.some((order) => isMintedByNonce(order, transaction));
}

export function firstAttempt({ attempts }: MintTransaction): Attempt {
  return attempts[0] as Attempt;
}

export function lastAttempt({ attempts }: MintTransaction): Attempt {
  return attempts.at(-1) as Attempt;
}

export function withAttempt(transaction: MintTransaction, attempt: Attempt): MintTransaction {
  return { ...transaction, attempts: [...transaction.attempts, attempt] };
}
