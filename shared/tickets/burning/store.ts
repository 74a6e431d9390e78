import * as z from 'zod';
import {
  absent,
  type Expected,
  machineOver,
  type Transition,
  TransitionRefused,
  transition,
  unchanged,
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
  /** How many tickets, from the first on, its earlier nonces were for: large orders take several. Absent for 0. */
  position: z.number().optional(),
  /** The nonce bound to it. */
  transaction: z.object({ signer: z.string(), nonce: z.number() }).optional(),
  /** How many of its nonces were cancelled, because no node accepted the transaction. Absent for 0. */
  cancellations: z.number().optional(),
});
export type Burn = z.infer<typeof burn>;
type Nonce = Required<Burn>['transaction'];

/**
 * `open` until the burn is final on the chain. `failed` when it can't be done: an operator has to act, mostly by
 * granting a role, and asks for the refund again.
 */
export const burnLifecycle = machineOver<Burn>()('status', burnStatuses, [
  { from: 'open', event: 'bind', to: 'open', guard: { transaction: absent }, sets: ['transaction'] },
  // The nonce was used without burning anything.
  { from: 'open', event: 'unbind', to: 'open', maySet: ['cancellations'], clears: ['transaction'] },
  { from: 'open', event: 'advance', to: 'open', sets: ['position'], clears: ['transaction'] },
  { from: 'open', event: 'complete', to: 'done' },
  { from: 'open', event: 'fail', to: 'failed', clears: ['transaction'] },
  { from: 'failed', event: 'reopen', to: 'open', clears: ['cancellations'] },
]);

/** The burn exists already, or the event is not legal in its state. */
export class BurnTransitionRefused extends TransitionRefused<Burn | undefined> {}

function refused(current: Item | undefined) {
  return new BurnTransitionRefused('The burn has changed', current && burn.parse(current));
}

/** Opens a burn, due at once. @throws BurnTransitionRefused from the write when the order has one */
export function insertBurn(opened: Omit<Burn, 'status'>): Write {
  return put(
    { ...keys.burn(opened.orderId), ...opened, status: 'open', ...dueAt(opened.orderId, Date.now()) },
    { when: 'attribute_not_exists(#pk)', refused },
  );
}

export async function findBurn(orderId: string): Promise<Burn | undefined> {
  const item = await getItem(keys.burn(orderId));
  return item && burn.parse(item);
}

/** Binds an open burn to a nonce. @throws BurnTransitionRefused from the transaction when it has one or has moved on */
export function bindBurn(open: Burn, nonce: Nonce): Write {
  const bound = transition(burnLifecycle, 'bind', { transaction: nonce });
  return transitionBurn(open, bound, unchanged(open, 'position'));
}

/**
 * Unbinds a burn from its nonce, so that it gets another.
 * @param cancellations counts the nonce when it was cancelled
 * @throws BurnTransitionRefused when it has another nonce
 */
export function unbindBurn(open: Burn, nonce: Nonce, cancellations?: number): Write {
  const unbound = transition(burnLifecycle, 'unbind', cancellations === undefined ? {} : { cancellations });
  return transitionBurn(open, unbound, { transaction: nonce });
}

/** Continues a burn with the tickets from `position` on. @throws BurnTransitionRefused when it has another nonce */
export function advanceBurn(open: Burn, nonce: Nonce, position: number): Write {
  return transitionBurn(open, transition(burnLifecycle, 'advance', { position }), { transaction: nonce });
}

/** Ends an open burn. @throws BurnTransitionRefused from the write when it has changed since it was read */
export function endBurn(open: Burn, event: 'complete' | 'fail'): Write {
  return transitionBurn(open, transition(burnLifecycle, event), unchanged(open, 'position', 'transaction'));
}

/** Opens a burn that failed, due at once. @throws BurnTransitionRefused from the write when it is open again */
export function reopenBurn({ orderId }: Burn): Write {
  const next = transition(burnLifecycle, 'reopen');
  return update(
    keys.burn(orderId),
    { set: { ...next.set, ...dueAt(orderId, Date.now()) } },
    { ...conditionOf([next]), refused },
  );
}

function transitionBurn({ orderId }: Burn, next: Transition<Burn>, expected: Expected<Burn> = {}): Write {
  const ended = next.to !== 'open' && { duePk: undefined, dueAt: undefined };
  return update(
    keys.burn(orderId),
    { set: { ...next.set, ...ended } },
    { ...conditionOf([next], expected), refused },
  );
}
