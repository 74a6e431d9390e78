import { getItem, type Item } from '../../dynamo/client.ts';
import { dueAt, keys } from '../../dynamo/keys.ts';
import { put, update, type Write } from '../../dynamo/write.ts';

/**
 * `open` until the burn is final on the chain. `failed` when the contract refuses: an operator has to act, mostly
 * by granting a role.
 */
export type BurnStatus = 'open' | 'done' | 'failed';

/** The burning of a refunded order's tickets, as far as they are still in the buyer's wallet. */
export interface Burn {
  orderId: string;
  /** The buyer. */
  userId: string;
  quantity: number;
  chainId: number;
  contract: string;
  /** The wallet they were minted to. Tickets passed on stay with their new holder. */
  holder: string;
  status: BurnStatus;
  /** The nonce bound to it. */
  transaction?: { signer: string; nonce: number };
}

/** The burn exists already, or has changed since it was read. */
export class BurnMoved extends Error {}

const moved = () => new BurnMoved();

/** Opens a burn, due at once. Refused with BurnMoved when the order has one. */
export function insertBurn(burn: Burn): Write {
  return put(
    { ...keys.burn(burn.orderId), ...burn, ...dueAt(burn.orderId, Date.now()) },
    { when: 'attribute_not_exists(#pk)', refused: moved },
  );
}

export async function findBurn(orderId: string): Promise<Burn | undefined> {
  const item = await getItem(keys.burn(orderId));
  return item && toBurn(item);
}

/** Binds an open burn to a nonce. Refused with BurnMoved when it has one or has ended. */
export function bindBurn({ orderId }: Burn, transaction: Required<Burn>['transaction']): Write {
  return update(
    keys.burn(orderId),
    { set: { transaction } },
    {
      when: '#status = :open AND attribute_not_exists(#transaction)',
      values: { open: 'open' },
      refused: moved,
    },
  );
}

/**
 * Unbinds a burn from a nonce that was used without burning anything, so that it gets another. Refused with
 * BurnMoved when it is not bound to this nonce.
 */
export function unbindBurn({ orderId }: Burn, transaction: Required<Burn>['transaction']): Write {
  return update(
    keys.burn(orderId),
    { set: { transaction: undefined } },
    {
      when: '#status = :open AND #transaction = :transaction',
      values: { open: 'open', transaction },
      refused: moved,
    },
  );
}

/** Ends an open burn. Refused with BurnMoved when it has ended. */
export function endBurn({ orderId }: Burn, status: 'done' | 'failed'): Write {
  return update(
    keys.burn(orderId),
    { set: { status, duePk: undefined, dueAt: undefined } },
    { when: '#status = :open', values: { open: 'open' }, refused: moved },
  );
}

function toBurn(item: Item): Burn {
  return {
    orderId: item.orderId,
    userId: item.userId,
    quantity: item.quantity,
    chainId: item.chainId,
    contract: item.contract,
    holder: item.holder,
    status: item.status,
    transaction: item.transaction,
  };
}
