import { type EventOf, expectUnchanged, transition } from '../../core/state-machine.ts';
import type { Write } from '../../dynamo/write.ts';
import { refund as machine } from '../lifecycle.ts';
import type { Order, Refund } from '../order.ts';
import { transitionOrder } from '../store.ts';

/** The fields of a refund after a transition. Its status follows from the event. */
export type RefundFields = Omit<Refund, 'status'>;

/**
 * Returns the write of a refund's transition. It fails when the refund has changed since it was read. The sweep queues
 * the order when its pending refund is due.
 * @throws as `transitionOrder`
 */
export function transitionRefund(order: Order, event: EventOf<typeof machine>, refund: RefundFields): Write {
  const refundTransition = transition(machine, event, { refund });
  return transitionOrder(order.id, [refundTransition], new Date().toISOString(), {
    nextDueAt: refundTransition.to === 'pending' ? Date.parse(refund.dueAt) : 'never',
    unchanged: expectUnchanged(order, 'refund'),
  });
}

/** Returns a refund without attempts and due at once, for a transition to a new status. @param timestamp ISO 8601 in UTC */
export function resetAttempts(refund: Refund, timestamp: string): Refund {
  return { ...refund, attempts: 0, dueAt: timestamp, at: timestamp };
}
