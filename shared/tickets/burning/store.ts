import * as z from 'zod';
import {
  absent,
  type Expected,
  machineOver,
  type Transition,
  TransitionRefused,
  transition,
} from '../../core/state-machine.ts';
import { getItem, type Item } from '../../dynamo/client.ts';
import { dueAt, keys } from '../../dynamo/keys.ts';
import { conditionOf } from '../../dynamo/transition.ts';
import { put, update, type Write } from '../../dynamo/write.ts';

const burnStatuses = ['open', 'done', 'failed'] as const;

/** The burning of a refunded order's tickets, as far as they are still in the buyer's wallet, as it is stored. */
const burn = z.object({
  orderId: z.string(),
  /** The buyer. */
  userId: z.string(),
  quantity: z.number(),
  chainId: z.number(),
  contract: z.string(),
  /** The wallet they were minted to. Tickets passed on stay with their new holder. */
  holder: z.string(),
  status: z.enum(burnStatuses),
  /** The nonce bound to it. */
  transaction: z.object({ signer: z.string(), nonce: z.number() }).optional(),
});
export type Burn = z.infer<typeof burn>;

/**
 * `open` until the burn is final on the chain. `failed` when the contract refuses: an operator has to act, mostly
 * by granting a role.
 */
export const burnLifecycle = machineOver<Burn>()('status', burnStatuses, [
  { from: 'open', event: 'bind', to: 'open', guard: { transaction: absent }, sets: ['transaction'] },
  // The nonce was used without burning anything.
  { from: 'open', event: 'unbind', to: 'open', clears: ['transaction'] },
  { from: 'open', event: 'complete', to: 'done' },
  { from: 'open', event: 'fail', to: 'failed' },
]);

/** The burn exists already, or the event is not legal in its state. */
export class BurnTransitionRefused extends TransitionRefused<Burn | undefined> {}

function refused(current: Item | undefined) {
  return new BurnTransitionRefused('The burn has changed', current && burn.parse(current));
}

/** Opens a burn, due at once. @throws BurnTransitionRefused from the write when the order has one */
export function insertBurn(opened: Burn): Write {
  return put(
    { ...keys.burn(opened.orderId), ...opened, ...dueAt(opened.orderId, Date.now()) },
    { when: 'attribute_not_exists(#pk)', refused },
  );
}

export async function findBurn(orderId: string): Promise<Burn | undefined> {
  const item = await getItem(keys.burn(orderId));
  return item && burn.parse(item);
}

/** Binds an open burn to a nonce. @throws BurnTransitionRefused from the transaction when it has one or has ended */
export function bindBurn(open: Burn, nonce: Required<Burn>['transaction']): Write {
  return transitionBurn(open, transition(burnLifecycle, 'bind', { transaction: nonce }));
}

/** Unbinds a burn from its nonce, so that it gets another. @throws BurnTransitionRefused when it has another nonce */
export function unbindBurn(open: Burn, nonce: Required<Burn>['transaction']): Write {
  return transitionBurn(open, transition(burnLifecycle, 'unbind'), { transaction: nonce });
}

/** Ends an open burn. @throws BurnTransitionRefused from the write when it has ended */
export function endBurn(open: Burn, event: 'complete' | 'fail'): Write {
  return transitionBurn(open, transition(burnLifecycle, event));
}

function transitionBurn({ orderId }: Burn, next: Transition<Burn>, expected: Expected<Burn> = {}): Write {
  const ended = next.to !== 'open' && { duePk: undefined, dueAt: undefined };
  return update(
    keys.burn(orderId),
    { set: { ...next.set, ...ended } },
    { ...conditionOf([next], expected), refused },
  );
}
