import {
  type Expected,
  expectUnchanged,
  type Transition,
  TransitionRefused,
  transition,
} from '../../core/state-machine.ts';
import { getItem, type Item } from '../../dynamo/client.ts';
import { dueAttributes, keys } from '../../dynamo/keys.ts';
import { toCondition } from '../../dynamo/transition.ts';
import { put, update, type Write } from '../../dynamo/write.ts';
import { type Burn, burnId, burnLifecycle, toBurn } from './burn.ts';

type Nonce = Required<Burn>['transaction'];

/** The burn exists already, or its state does not allow the transition. */
export class BurnTransitionRefused extends TransitionRefused<Burn | undefined> {}

function refused(current: Item | undefined) {
  return new BurnTransitionRefused('The burn has changed', current && toBurn(current));
}

/** Inserts an open burn, due at once. @throws BurnTransitionRefused from the write when the order's issue has one */
export function insertBurn(opened: Omit<Burn, 'status'>): Write {
  return put(
    { ...keys.burn(burnId(opened)), ...opened, status: 'open', ...dueAttributes(opened.orderId, Date.now()) },
    { when: 'attribute_not_exists(#pk)', orThrow: refused },
  );
}

/** @param id see `burnId` */
export async function findBurn(id: string): Promise<Burn | undefined> {
  const item = await getItem(keys.burn(id));
  return item && toBurn(item);
}

/**
 * Binds an open burn to a nonce. @throws BurnTransitionRefused from the transaction when it has a nonce or has changed
 */
export function bindBurn(open: Burn, nonce: Nonce): Write {
  const bound = transition(burnLifecycle, 'bind', { transaction: nonce });
  return transitionBurn(open, bound, expectUnchanged(open, 'position'));
}

/**
 * Unbinds a burn from its nonce, so that it can be bound to another.
 * @param cancellations the new count of cancelled nonces; unchanged when absent
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
  return transitionBurn(
    open,
    transition(burnLifecycle, event),
    expectUnchanged(open, 'position', 'transaction'),
  );
}

/**
 * Reopens a failed burn, due at once.
 * @param reissue the reissue that it belongs to now; unchanged when absent
 * @throws BurnTransitionRefused from the write when it is open again
 */
export function reopenBurn(failed: Burn, reissue?: Burn['reissue']): Write {
  const next = transition(burnLifecycle, 'reopen', reissue ? { reissue } : {});
  return update(
    keys.burn(burnId(failed)),
    { set: { ...next.set, ...dueAttributes(failed.orderId, Date.now()) } },
    { ...toCondition([next]), orThrow: refused },
  );
}

function transitionBurn(burn: Burn, next: Transition<Burn>, expected: Expected<Burn> = {}): Write {
  const ended = next.to !== 'open' && { duePk: undefined, dueAt: undefined };
  return update(
    keys.burn(burnId(burn)),
    { set: { ...next.set, ...ended } },
    { ...toCondition([next], expected), orThrow: refused },
  );
}
