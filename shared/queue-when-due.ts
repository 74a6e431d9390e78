import { log } from './log.ts';
import { type Messages, send } from './queue.ts';

/** The longest a message can be kept back. */
const maximumDelaySeconds = 900;

/**
 * Has the worker look at a payout or a refund as soon as it is due (epoch milliseconds). The message only makes it
 * quicker: one that is lost, or would have to wait too long, is made up for by the sweep, which finds all that is due.
 */
export async function queueWhenDue(message: Messages['payout'], due: number): Promise<void> {
  const delaySeconds = Math.max(0, Math.ceil((due - Date.now()) / 1000));
  if (delaySeconds > maximumDelaySeconds) return;
  try {
    await send('payout', message, delaySeconds);
  } catch (error) {
    log.error('Payout or refund could not be queued', error, message);
  }
}
