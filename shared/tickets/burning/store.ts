import { getItem, getItems, type Item } from '../../dynamo/client.ts';
import { dueAt, keys } from '../../dynamo/keys.ts';
import { put, update, type Write } from '../../dynamo/write.ts';

/** The burn is not as it was read, or there already. */
export class BurnMoved extends Error {}

const moved = () => new BurnMoved();

/** A new burn, due at once. Refused with BurnMoved when there is one for the order. */
export function insertBurn(burn: Burn): Write {
  return put(
    { ...keys.burn(burn.orderId), ...burn, ...dueAt(burn.orderId, Date.now()) },
    { when: 'attribute_not_exists(#pk)', refused: moved },
  );
}

/** Those there are, in one read. */
export async function findBurns(orderIds: readonly string[]): Promise<Burn[]> {
  const items = await getItems([...new Set(orderIds)].map(keys.burn));
  return items.flatMap((item) => (item ? [toBurn(item)] : []));
}

export async function findBurn(orderId: string): Promise<Burn | undefined> {
  const item = await getItem(keys.burn(orderId));
  return item && toBurn(item);
}

/** Binds an open burn to a nonce. Refused with BurnMoved when another worker did so. */
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

/** The nonce is used up without burning anything: the burn gets another. Refused with BurnMoved when it has one. */
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
