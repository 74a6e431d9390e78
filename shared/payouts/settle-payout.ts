import { optional } from '../env.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import type { TransferGateway, TransferSignal } from '../payments/transfer.ts';
import { queueWhenDue } from '../queue-when-due.ts';
import { backoff } from '../retry.ts';
import { completePayout } from './complete-payout.ts';
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
