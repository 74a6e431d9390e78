import { type EventOf, expectUnchanged, transition } from '../../core/state-machine.ts';
import type { Write } from '../../dynamo/write.ts';
import { refund as machine } from '../lifecycle.ts';
import type { Order, Refund } from '../order.ts';
import { transitionOrder } from '../store.ts';

/** The fields of a refund after a transition. Its status follows from the event. */
export type RefundFields = Omit<Refund, 'status'>;

/**
 * Makes a transition of an order's refund, provided that the refund has not changed since it was read. The sweep queues
 * the order when its pending refund is due.
 * @throws OrderTransitionRefused, here or from the transaction
 */
export function transitionRefund(order: Order, event: EventOf<typeof machine>, refund: RefundFields): Write {
  const next = transition(machine, event, { refund });
  return transitionOrder(order.id, [next], new Date().toISOString(), {
    nextDueAt: next.to === 'pending' ? Date.parse(refund.dueAt) : 'never',
    unchanged: expectUnchanged(order, 'refund'),
  });
}

/** Returns a refund that has just entered a status: without attempts, due at once. @param at ISO 8601 in UTC */
export function restartRefund(refund: Refund, at: string): Refund {
  return { ...refund, attempts: 0, dueAt: at, at };
}
