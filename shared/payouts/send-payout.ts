import { DomainError } from '../core/errors.ts';
import { transact } from '../dynamo/write.ts';
import { payoutEntry } from '../ledger/ledger.ts';
import { post } from '../ledger/store.ts';
import { insertNotification } from '../notifications/store.ts';
import type { TransferGateway } from '../payments/gateway.ts';
import { configuredTransfers } from '../payments/transfer-gateways.ts';
import { log } from '../runtime/log.ts';
import { count } from '../runtime/metrics.ts';
import { queueWhenDue } from '../runtime/queue.ts';
import { backoff, lease, maximumAttempts } from '../runtime/retry.ts';
import { failureNotification } from './failure-notification.ts';
import { mayMove, type Payout } from './payout.ts';
import { completePayout } from './settle-payout.ts';
import { applyMove, findPayout, movePayout, PayoutMoved, postponePayout } from './store.ts';

/**
 * Takes a payout that is due one step on: sends it, looks how an earlier transfer went, sends it again, or gives
 * it up. Any number of workers may try at once: one of them has it to itself for the time of a lease.
 */
export async function sendPayout(payoutId: string): Promise<void> {
  const payout = await findPayout(payoutId);
  const now = Date.now();
  if (!payout?.dueAt || Date.parse(payout.dueAt) > now) return;
  try {
    await advance(await postponePayout(payout, now + lease));
  } catch (error) {
    // Another worker has it, or a webhook came in between: it is where it belongs.
    if (!(error instanceof PayoutMoved)) throw error;
  }
}

async function advance(payout: Payout): Promise<void> {
  const { id: payoutId, attempts } = payout;
  try {
    const gateway = await configuredTransfers(payout.gateway);
    if (!gateway) throw new Error(`${payout.gateway} is not configured`);
    // What was handed over before may be on its way, or there already, whatever we were told.
    const found = attempts === 0 ? 'unknown' : await gateway.findTransfer(payoutId);
    if (found === 'under-way') await lookLater(payout);
    else if (found !== 'unknown' && found.kind === 'transfer-succeeded') await completePayout(payout);
    else if (attempts >= maximumAttempts) await giveUp(payout);
    else await handOver(gateway, payout);
  } catch (error) {
    if (error instanceof PayoutMoved) throw error;
    log.error('Payout has to wait', error, { payoutId, attempts });
    await lookLater(payout);
  }
}

/** Counts the attempt first, so that a crash in the middle of it is followed by a question, not by another one. */
async function handOver(gateway: TransferGateway, payout: Payout): Promise<void> {
  const attempts = payout.attempts + 1;
  const sent = await applyMove(movePayout(payout, 'send', Date.now() + lease, attempts));
  const { id: reference, amount, currency, destination } = sent;
  try {
    await gateway.transfer({ reference, amount, currency, destination });
    log.info('Payout handed over', { payoutId: reference, attempts });
  } catch (error) {
    // Refused, or taken without our knowing: the next look tells.
    if (!(error instanceof DomainError)) throw error;
    log.warn('Payout may not have been taken', { payoutId: reference, attempts });
  }
  await lookLater(sent);
}

async function lookLater(payout: Payout): Promise<void> {
  const due = Date.now() + backoff(payout.attempts);
  await postponePayout(payout, due);
  await queueWhenDue({ payoutId: payout.id }, due);
}

async function giveUp(payout: Payout): Promise<void> {
  if (!mayMove(payout, 'giveUp')) return;
  const { id, amount } = payout;
  await transact([
    movePayout(payout, 'giveUp', 'never'),
    ...post(payoutEntry(payout, id, 'returned', amount, new Date().toISOString())),
    insertNotification(failureNotification(payout)),
  ]);
  log.warn('Payout given up', { payoutId: id });
  count('PayoutsFailed');
}
