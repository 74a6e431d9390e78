import { transact } from '../../dynamo/write.ts';
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
  const [before] = await readAnswers([orderId]);
  const kept = before?.answers.filter(({ number }) => !isErased(number)) ?? [];
  if (!before || kept.length === before.answers.length) return;
  await transact([putAnswers(orderId, kept, before.version)]);
}
