import * as z from 'zod';
import { keys } from '../../dynamo/keys.ts';
import { getItems } from '../../dynamo/read.ts';
import { put, type Write } from '../../dynamo/write.ts';
import type { Order } from '../order.ts';
import { type Answer, answers } from './answer.ts';

/** The answers of one order, in one item. */
const storedAnswers = z.object({ answers, version: z.number() });
export type OrderAnswers = z.infer<typeof storedAnswers>;

/** The answers have changed since they were read. */
export class AnswersChanged extends Error {}

/** Reads the answers of orders: none for an order without. */
export async function readAnswers(orderIds: readonly string[]): Promise<OrderAnswers[]> {
  const items = await getItems(orderIds.map(keys.answers));
  return items.map((item) => (item ? storedAnswers.parse(item) : { answers: [], version: 0 }));
}

/** Reads the answers of those of the orders that have some. @returns the answers by order */
export async function readAnswersOf(
  orders: readonly Pick<Order, 'id' | 'hasAnswers'>[],
): Promise<Map<string, Answer[]>> {
  const ids = orders.flatMap(({ id, hasAnswers }) => (hasAnswers ? [id] : []));
  const answers = await readAnswers(ids);
  return new Map(ids.map((id, index) => [id, answers[index]?.answers ?? []]));
}

/**
 * Returns the write that replaces the answers of an order.
 * @param version the version as it was read; 0 for an order without answers
 * @throws AnswersChanged from the transaction
 */
export function putAnswers(orderId: string, answers: readonly Answer[], version: number): Write {
  const item = { ...keys.answers(orderId), answers: [...answers], version: version + 1 };
  return put(item, {
    ...(version === 0
      ? { when: 'attribute_not_exists(#pk)' }
      : { when: '#version = :version', values: { version } }),
    orThrow: () => new AnswersChanged(),
  });
}
