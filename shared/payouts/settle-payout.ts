import { transact } from '../dynamo/write.ts';
import { payoutEntry } from '../ledger/ledger.ts';
import { post } from '../ledger/store.ts';
import type { TransferGateway, TransferSignal } from '../payments/gateway.ts';
import { optional } from '../runtime/config.ts';
import { log } from '../runtime/log.ts';
import { count } from '../runtime/metrics.ts';
import { queueWhenDue } from '../runtime/queue.ts';
import { backoff } from '../runtime/retry.ts';
import { mayMove, type Payout } from './payout.ts';
import { applyMove, findPayout, movePayout, PayoutMoved } from './store.ts';

/**
 * What a gateway's webhook says of a transfer; nothing happens when it is none of ours. In any order, any number
 * of times: only legal moves are made, and no failure is believed without asking the gateway before more is sent.
 * @throws DomainError `provider-failed` when the provider had to be asked back and did not answer
 */
export async function settlePayout(gateway: TransferGateway, signal: TransferSignal): Promise<void> {
  const payout = await findPayout(signal.reference);
  if (payout?.gateway !== gateway.name) {
    log.info('Webhook for no payout of ours', { gateway: gateway.name });
    count('WebhooksUnknown');
  } else if (signal.kind === 'transfer-failed') {
    await retryPayout(payout);
  } else if (await isConfirmed(gateway, signal)) {
    await completePayout(payout);
  } else {
    log.warn('Transfer not confirmed', { payoutId: payout.id });
    count('PaymentsUnderReview');
  }
}

/** Where providers are asked back, what they say then counts, not what the webhook said. */
async function isConfirmed(gateway: TransferGateway, { reference }: TransferSignal): Promise<boolean> {
  if (optional('VERIFY_WITH_GATEWAY') !== 'true' || !(await gateway.isConfigured())) return true;
  const found = await gateway.findTransfer(reference);
  return typeof found === 'object' && found.kind === 'transfer-succeeded';
}

async function retryPayout(payout: Payout): Promise<void> {
  if (!mayMove(payout, 'retry')) {
    log.info('Failed transfer of a payout that waits for none', {
      payoutId: payout.id,
      status: payout.status,
    });
    return;
  }
  try {
    const due = Date.now() + backoff(payout.attempts);
    await applyMove(movePayout(payout, 'retry', due));
    await queueWhenDue({ payoutId: payout.id }, due);
  } catch (error) {
    if (!(error instanceof PayoutMoved)) throw error;
    await retryPayout(error.current);
  }
}

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
