import { transact, type Write } from '../../dynamo/write.ts';
import { putAnswers, readAnswers } from './store.ts';

/**
 * Removes answers of an order.
 * @param isErased whether to remove the answers for a seat; without a number, those for the order
 * @throws AnswersChanged after a concurrent change
 */
export async function eraseAnswers(
  orderId: string,
  isErased: (number: number | undefined) => boolean,
): Promise<void> {
  const writes = await prepareErasure(orderId, isErased);
  if (writes.length > 0) await transact(writes);
}

/** Returns the writes of `eraseAnswers`: none where there is nothing to remove. */
export async function prepareErasure(
  orderId: string,
  isErased: (number: number | undefined) => boolean,
): Promise<Write[]> {
  const [before] = await readAnswers([orderId]);
  const kept = before?.answers.filter(({ number }) => !isErased(number)) ?? [];
  if (!before || kept.length === before.answers.length) return [];
  return [putAnswers(orderId, kept, before.version)];
}
