import { transact } from '../dynamo/write.ts';
import { payoutEntry } from '../ledger/entry.ts';
import { post } from '../ledger/store.ts';
import { log } from '../log.ts';
import { mayMove, type Payout } from './payout.ts';
import { movePayout, PayoutMoved } from './store.ts';

/**
 * The money arrived: pending → paidOut, once. After the payout was given up its amount is available again, and
 * leaves from there; where it was spent meanwhile, `available` shows what the organizer owes.
 */
export async function completePayout(payout: Payout): Promise<void> {
  if (!mayMove(payout, 'complete')) return;
  const { id, amount, status } = payout;
  const step = status === 'FAILED' ? 'completedLate' : 'completed';
  try {
    const entry = payoutEntry(payout, id, step, amount, new Date().toISOString());
    await transact([movePayout(payout, 'complete', 'never'), ...post(entry)]);
    log.info('Payout completed', { payoutId: id });
  } catch (error) {
    if (!(error instanceof PayoutMoved)) throw error;
    await completePayout(error.current);
  }
}
