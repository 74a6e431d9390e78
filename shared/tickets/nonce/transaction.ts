import type { Order } from '../../orders/order.ts';

/** One nonce of one signer. It mints the same orders for ever, whatever becomes of its transactions. */
export interface NonceReference {
  chainId: number;
  signer: string;
  nonce: number;
}

/**
 * A nonce and everything that was signed for it. How far it is stands on the chain and on its orders, not here:
 * once written, nothing of it changes but that attempts are appended.
 */
export interface MintTransaction extends NonceReference {
  contract: string;
  /** None when the nonce is only used up, to let those behind it pass. */
  orderIds: string[];
  /** The order whose tickets it burns instead. */
  burnOf?: string;
  /** Oldest first. Each was stored before it was sent anywhere. */
  attempts: Attempt[];
}

export interface Attempt {
  /** The signed transaction, hex. */
  raw: string;
  /** When it was signed, epoch milliseconds. */
  at: number;
}

/** Tells nonces apart. */
export function nonceName({ chainId, signer, nonce }: NonceReference): string {
  return `${chainId} ${signer} ${nonce}`;
}

/** Whether this is the nonce that mints the order. */
function isBound(order: Order, { chainId, signer, nonce }: NonceReference): boolean {
  const { mint } = order;
  return mint?.chainId === chainId && mint.signer === signer && mint.nonce === nonce;
}

/** Whether the nonce is still to mint the order, or has done so: not so when the payment is due back, say. */
export function isWanted(order: Order, reference: NonceReference): boolean {
  const { fulfilmentStatus } = order;
  return isBound(order, reference) && (fulfilmentStatus === 'minting' || fulfilmentStatus === 'minted');
}

/** Whether a transaction is still to do what it was signed for. A burn is, always: it does no harm. */
export function isTransactionWanted(transaction: MintTransaction, orders: readonly Order[]): boolean {
  return transaction.burnOf !== undefined || orders.some((order) => isWanted(order, transaction));
}

export function firstAttempt({ attempts }: MintTransaction): Attempt {
  return attempts[0] as Attempt;
}

export function lastAttempt({ attempts }: MintTransaction): Attempt {
  return attempts.at(-1) as Attempt;
}
