import type { Event, Order } from 'boxoffice-client';
import { describeOrder } from '../order-words.ts';

/** An order's state in a few words. See `describeOrder` for the effect of `event`. */
export function OrderState({ order, event }: { order: Order; event?: Event }) {
  const { label, tone } = describeOrder(order, event);
  return <span class={`order-state ${tone}`}>{label}</span>;
}
