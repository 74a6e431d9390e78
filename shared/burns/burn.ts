/**
 * `open` until the chain has burned them for good. `failed` when the contract refuses: an operator sees to it,
 * mostly by granting a role.
 */
export type BurnStatus = 'open' | 'done' | 'failed';

/** The tickets of a refunded order, which are to be taken out of the buyer's wallet as far as they are there. */
export interface Burn {
  orderId: string;
  /** The buyer. */
  userId: string;
  quantity: number;
  chainId: number;
  contract: string;
  /** The wallet they were minted to; what was sold on stays with its new holder. */
  holder: string;
  status: BurnStatus;
  /** The nonce bound to it, until it is used up. */
  transaction?: { signer: string; nonce: number };
}

/** The nonce that a burn is bound to. */
export function boundTo({ chainId, transaction }: Burn) {
  return transaction && { chainId, ...transaction };
}
