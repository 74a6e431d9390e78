import { DomainError } from '../core/errors.ts';
import { allows, transition } from '../core/state-machine.ts';
import { transact } from '../dynamo/write.ts';
import { payoutEntry } from '../ledger/ledger.ts';
import { NotCovered, post, requireCovered } from '../ledger/store.ts';
import { insertNotification } from '../notifications/store.ts';
import type { TransferGateway } from '../payments/gateway.ts';
import { configuredTransfers } from '../payments/transfer-gateways.ts';
import { log } from '../runtime/log.ts';
import { count } from '../runtime/metrics.ts';
import { queueWhenDue } from '../runtime/queue.ts';
import { backoff, lease, maximumAttempts } from '../runtime/retry.ts';
import { failureNotification } from './failure-notification.ts';
import { type Payout, payoutLifecycle, transferReference } from './payout.ts';
import { completePayout } from './settle-payout.ts';
import {
  findPayout,
  PayoutTransitionRefused,
  postponePayout,
  transitionPayout,
  writePayout,
} from './store.ts';

/**
 * Advances a due payout: sends it to the gateway, queries the result of an earlier attempt, or gives it up. A lease
 * allows only one of several concurrent workers to act.
 * @param sweepLease the due time that the sweep set when it queued this message, which may act before that time
 */
export async function sendPayout(payoutId: string, sweepLease?: string): Promise<void> {
  const payout = await findPayout(payoutId);
  const now = Date.now();
  if (!payout?.dueAt || (payout.dueAt !== sweepLease && Date.parse(payout.dueAt) > now)) return;
  try {
    await advance(await postponePayout(payout, now + lease));
  } catch (error) {
    // Another worker has leased it, or a webhook has changed it.
    if (!(error instanceof PayoutTransitionRefused)) throw error;
  }
}

async function advance(payout: Payout): Promise<void> {
  const { id: payoutId, attempts } = payout;
  try {
    const gateway = await configuredTransfers(payout.gateway);
    if (!gateway) throw new Error(`${payout.gateway} is not configured`);
    // An earlier attempt may have succeeded although the response was an error.
    const found = attempts === 0 ? 'unknown' : await gateway.findTransfer(transferReference(payout));
    if (found === 'under-way') await checkLater(payout);
    else if (found !== 'unknown' && found.kind === 'transfer-succeeded')
      await completePayout(payout, payout.transfer);
    else if (attempts >= maximumAttempts) await giveUp(payout);
    else await transfer(gateway, payout, found === 'unknown' ? payout.transfer : payout.transfer + 1);
  } catch (error) {
    if (error instanceof PayoutTransitionRefused) throw error;
    log.error('Payout postponed', error, { payoutId, attempts });
    await checkLater(payout);
  }
}

/**
 * Stores the attempt before making it, so that after a crash the next one queries its result first. While the
 * organizer's balance is below zero, the payout waits instead, and counts no attempt.
 * @param number of the transfer: the last one where the gateway does not know it, the next after one that failed
 */
async function transfer(gateway: TransferGateway, payout: Payout, number: number): Promise<void> {
  const attempts = payout.attempts + 1;
  const next = transition(payoutLifecycle, 'send', { attempts, transfer: number });
  const begun = transitionPayout(payout, next, Date.now() + lease);
  try {
    await transact([begun, requireCovered(payout)]);
  } catch (error) {
    if (error instanceof NotCovered) return waitForCover(payout);
    throw error;
  }
  const sent = (await findPayout(payout.id)) as Payout;
  const { id: payoutId, amount, currency, destination } = sent;
  try {
    await gateway.transfer({ reference: transferReference(sent), amount, currency, destination });
    log.info('Payout sent', { payoutId, attempts });
  } catch (error) {
    // The transfer failed or its outcome is unknown. The next check queries the result.
    if (!(error instanceof DomainError)) throw error;
    log.warn('Payout may not have been accepted', { payoutId, attempts });
  }
  await checkLater(sent);
}

async function waitForCover(payout: Payout): Promise<void> {
  const due = Date.now() + backoff(1);
  await writePayout(
    transitionPayout(payout, transition(payoutLifecycle, 'wait', { isUncovered: true }), due),
  );
  log.info('Payout waits for its amount to be covered', { payoutId: payout.id });
  await queueWhenDue({ payoutId: payout.id }, due);
}

async function checkLater(payout: Payout): Promise<void> {
  const due = Date.now() + backoff(payout.attempts);
  await postponePayout(payout, due);
  await queueWhenDue({ payoutId: payout.id }, due);
}

async function giveUp(payout: Payout): Promise<void> {
  if (!allows(payoutLifecycle, 'giveUp', payout.status)) return;
  const { id, amount } = payout;
  await transact([
    transitionPayout(payout, transition(payoutLifecycle, 'giveUp'), 'never'),
    ...post(payoutEntry(payout, id, 'returned', amount, new Date().toISOString())),
    insertNotification(failureNotification(payout)),
  ]);
  log.warn('Payout given up', { payoutId: id });
  count('PayoutsFailed');
}
