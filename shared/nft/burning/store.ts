import {
  type Expected,
  expectUnchanged,
  type Transition,
  TransitionRefused,
  transition,
} from '../../core/state-machine.ts';
import { getItem, type Item } from '../../dynamo/client.ts';
import { dueAttributes, keys } from '../../dynamo/keys.ts';
import { put, toCondition, update, type Write } from '../../dynamo/write.ts';
import { type Burn, burnId, burnLifecycle, toBurn } from './burn.ts';

type Nonce = Required<Burn>['transaction'];

/** The burn exists already, or its state does not allow the transition. */
export class BurnTransitionRefused extends TransitionRefused<Burn | undefined> {}

function burnRefused(current: Item | undefined) {
  return new BurnTransitionRefused('The burn has changed', current && toBurn(current));
}

/**
 * Returns the write that inserts an open burn, due at once.
 * @throws BurnTransitionRefused from the write when the burn exists already
 */
export function insertBurn(burn: Omit<Burn, 'status'>): Write {
  return put(
    { ...keys.burn(burnId(burn)), ...burn, status: 'open', ...dueAttributes(burn.orderId, Date.now()) },
    { when: 'attribute_not_exists(#pk)', orThrow: burnRefused },
  );
}

/** Finds a burn. @param id see `burnId` */
export async function findBurn(id: string): Promise<Burn | undefined> {
  const item = await getItem(keys.burn(id));
  return item && toBurn(item);
}

/**
 * Returns the write that binds an open burn to a nonce.
 * @throws BurnTransitionRefused from the write when the burn has a nonce or has changed
 */
export function bindBurn(burn: Burn, nonce: Nonce): Write {
  const bindTransition = transition(burnLifecycle, 'bind', { transaction: nonce });
  return transitionBurn(burn, bindTransition, expectUnchanged(burn, 'position'));
}

/**
 * Returns the write that unbinds a burn from its nonce, so that it can be bound to another.
 * @param cancellations the new count of cancelled nonces; unchanged when absent
 * @throws BurnTransitionRefused from the write when the burn has another nonce
 */
export function unbindBurn(burn: Burn, nonce: Nonce, cancellations?: number): Write {
  const unbindTransition = transition(
    burnLifecycle,
    'unbind',
    cancellations === undefined ? {} : { cancellations },
  );
  return transitionBurn(burn, unbindTransition, { transaction: nonce });
}

/**
 * Returns the write that continues a burn with the tickets from `position` on.
 * @throws BurnTransitionRefused from the write when the burn has another nonce
 */
export function advanceBurn(burn: Burn, nonce: Nonce, position: number): Write {
  return transitionBurn(burn, transition(burnLifecycle, 'advance', { position }), { transaction: nonce });
}

/**
 * Returns the write that ends an open burn.
 * @throws BurnTransitionRefused from the write when the burn has changed since it was read
 */
export function endBurn(burn: Burn, event: 'complete' | 'fail'): Write {
  return transitionBurn(
    burn,
    transition(burnLifecycle, event),
    expectUnchanged(burn, 'position', 'transaction'),
  );
}

/**
 * Returns the write that reopens a failed burn, due at once.
 * @param reissue the reissue that the burn belongs to now; unchanged when absent
 * @throws BurnTransitionRefused from the write when the burn is no longer failed
 */
export function reopenBurn(burn: Burn, reissue?: Burn['reissue']): Write {
  const reopenTransition = transition(burnLifecycle, 'reopen', reissue ? { reissue } : {});
  return update(
    keys.burn(burnId(burn)),
    { set: { ...reopenTransition.set, ...dueAttributes(burn.orderId, Date.now()) } },
    { ...toCondition([reopenTransition]), orThrow: burnRefused },
  );
}

function transitionBurn(burn: Burn, burnTransition: Transition<Burn>, expected: Expected<Burn> = {}): Write {
  const removedDueAttributes = burnTransition.to !== 'open' && { duePk: undefined, dueAt: undefined };
  return update(
    keys.burn(burnId(burn)),
    { set: { ...burnTransition.set, ...removedDueAttributes } },
    { ...toCondition([burnTransition], expected), orThrow: burnRefused },
  );
}
