import { type EventOf, transition, unchanged } from '../../core/state-machine.ts';
import type { Write } from '../../dynamo/write.ts';
import { refund as machine } from '../lifecycle.ts';
import type { Order, Refund } from '../order.ts';
import { transitionOrder } from '../store.ts';

/** A refund as an event leaves it; its status comes from the event. */
export type RefundFields = Omit<Refund, 'status'>;

/**
 * Makes a transition of an order's refund, provided that the refund is as it was read. While it is pending the
 * sweep finds the order when the refund is due.
 * @throws OrderTransitionRefused, here or from the transaction
 */
export function transitionRefund(order: Order, event: EventOf<typeof machine>, refund: RefundFields): Write {
  const next = transition(machine, event, { refund });
  return transitionOrder(order.id, [next], new Date().toISOString(), {
    due: next.to === 'pending' ? Date.parse(refund.dueAt) : 'never',
    unchanged: unchanged(order, 'refund'),
  });
}

/** A refund at the beginning of a status: no attempts, due at once. @param at ISO 8601 in UTC */
export function restarted(refund: Refund, at: string): Refund {
  return { ...refund, attempts: 0, dueAt: at, at };
}
