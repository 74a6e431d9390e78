import { type Actor, authorize, buyerOf } from '../../accounts/auth/authorize.ts';
import type { Event } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { absent } from '../../core/state-machine.ts';
import { transact } from '../../dynamo/write.ts';
import { retry } from '../../runtime/retry.ts';
import type { Order } from '../order.ts';
import { changeOrder, getOrder, OrderTransitionRefused } from '../store.ts';
import { type Answer, mergeAnswers, requireValidAnswers } from './answer.ts';
import { AnswersChanged, putAnswers, readAnswers } from './store.ts';

/**
 * Changes answers of an order until the event begins. Those that the request does not name stay.
 * @param requireOwnSeats refuses tickets that the buyer has transferred
 * @throws DomainError 404 for callers other than the buyer; 400 for invalid answers; 409 once the event has begun, and for
 * an order that failed or was refunded
 */
export async function changeAnswers(
  caller: Actor,
  orderId: string,
  answers: readonly Answer[],
  requireOwnSeats: (order: Order, numbers: readonly number[]) => Promise<void>,
): Promise<Order> {
  const order = await getOrder(orderId);
  authorize(caller, [buyerOf(order)], notFound('Order'));
  const event = await getEvent(order.eventId);
  const numbers = answers.flatMap(({ number }) => (number === undefined ? [] : [number]));
  if (numbers.length > 0) await requireOwnSeats(order, numbers);
  return storeAnswers(order, event, answers);
}

/**
 * Stores answers of an order whose caller was authorized.
 * @throws DomainError as `changeAnswers`
 */
export async function storeAnswers(order: Order, event: Event, answers: readonly Answer[]): Promise<Order> {
  if (Date.now() >= Date.parse(event.eventDate)) throw conflict('event-began', 'The event has begun');
  requireValidAnswers(event.questions ?? [], order.items, answers, false);
  await retry(
    async () => {
      const [before = { answers: [], version: 0 }] = await readAnswers([order.id]);
      const timestamp = new Date().toISOString();
      await transact([
        changeOrder(
          order.id,
          { hasAnswers: true, updatedAt: timestamp },
          { unchanged: { paymentStatus: ['PENDING', 'COMPLETED'], refund: absent } },
        ),
        putAnswers(order.id, mergeAnswers(before.answers, answers), before.version),
      ]);
    },
    {
      isRetryable: (error) => error instanceof AnswersChanged,
      exhaustedError: () => conflict('busy', 'The answers are being changed, please try again', 1),
    },
  ).catch((error) => {
    if (!(error instanceof OrderTransitionRefused)) throw error;
    throw error.current.refund
      ? conflict('refunded', 'The order was refunded')
      : conflict('not-paid', 'The order was not paid');
  });
  return { ...order, hasAnswers: true };
}
