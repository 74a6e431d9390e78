import { log } from '../log.ts';
import { send } from '../queue.ts';
import type { Payout } from './payout.ts';

/** The longest a message can be kept back. */
const maximumDelaySeconds = 900;

/**
 * Has the worker look at a payout as soon as it is due. The message only makes it quicker: one that is lost, or
 * would have to wait too long, is made up for by the sweep, which looks at all that is due.
 */
export async function queuePayout({ id, dueAt }: Payout): Promise<void> {
  const delaySeconds = dueAt ? Math.max(0, Math.ceil((Date.parse(dueAt) - Date.now()) / 1000)) : 0;
  if (delaySeconds > maximumDelaySeconds) return;
  try {
    await send('payout', { payoutId: id }, delaySeconds);
  } catch (error) {
    log.error('Payout could not be queued', error, { payoutId: id });
  }
}
