import { systemActor } from '../../accounts/audit/audit.ts';
import { PayoutsHeld, requireNoHold } from '../../accounts/users/store.ts';
import { DomainError } from '../../core/errors.ts';
import { toDecimal } from '../../core/money.ts';
import { allows, transition } from '../../core/state-machine.ts';
import { transact } from '../../dynamo/write.ts';
import {
  insertNotification,
  type Notification,
  newNotification,
} from '../../messaging/notifications/store.ts';
import { insertMail } from '../../messaging/outbox/store.ts';
import { BreakerOpen, breakerOpenMilliseconds, callThroughBreaker } from '../../payments/breaker.ts';
import type { TransferGateway } from '../../payments/gateway.ts';
import { findConfiguredTransferGateway } from '../../payments/transfer-gateways.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { backoffMilliseconds, leaseMilliseconds, maximumAttempts } from '../../runtime/retry.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { payoutEntry } from '../ledger/ledger.ts';
import { BalanceNegative, postEntry, requireNonNegativeBalance } from '../ledger/store.ts';
import { AccountStopped, requireNotStopped } from './bank-account.ts';
import { type Payout, payoutLifecycle, transferReference } from './payout.ts';
import { completePayout, insertPayoutAudit, preparePayout } from './settle-payout.ts';
import {
  findPayout,
  PayoutTransitionRefused,
  postponePayout,
  transitionPayout,
  writePayout,
} from './store.ts';

/**
 * Advances a due payout: sends it to the gateway, queries the result of an earlier attempt, or fails it after the last
 * attempt. A lease ensures that only one of several concurrent workers acts.
 * @param sweepLease the due time that the sweep set when it queued this message. A payout that still has this due time
 * is advanced at once
 */
export async function sendPayout(payoutId: string, sweepLease?: string): Promise<void> {
  const payout = await findPayout(payoutId);
  const now = Date.now();
  if (!payout?.dueAt || (payout.dueAt !== sweepLease && Date.parse(payout.dueAt) > now)) return;
  try {
    await advanceLeasedPayout(await postponePayout(payout, now + leaseMilliseconds));
  } catch (error) {
    // Another worker has leased the payout, or a webhook has changed it.
    if (!(error instanceof PayoutTransitionRefused)) throw error;
  }
}

async function advanceLeasedPayout(payout: Payout): Promise<void> {
  const { id: payoutId, attempts } = payout;
  let currentPayout = payout;
  try {
    const gateway = await findConfiguredTransferGateway(payout.gateway);
    if (!gateway) throw new Error(`${payout.gateway} is not configured`);
    await callThroughBreaker(gateway.name, async () => {
      // An earlier attempt may have succeeded although the response was an error.
      const earlierTransfer =
        attempts === 0 ? 'unknown' : await gateway.findTransfer(transferReference(payout));
      if (earlierTransfer === 'under-way') return checkLater(payout);
      if (earlierTransfer !== 'unknown' && earlierTransfer.kind === 'transfer-succeeded') {
        return completePayout(payout, payout.transfer);
      }
      if (attempts >= maximumAttempts) return failPayout(payout);
      const attemptedPayout = await startAttempt(
        payout,
        earlierTransfer === 'unknown' ? payout.transfer : payout.transfer + 1,
      );
      if (!attemptedPayout) return;
      currentPayout = attemptedPayout;
      await startTransfer(gateway, currentPayout);
      await checkLater(currentPayout);
    });
  } catch (error) {
    if (error instanceof PayoutTransitionRefused) throw error;
    // The sweep queues the payout again.
    if (error instanceof BreakerOpen)
      return void (await postponePayout(currentPayout, Date.now() + breakerOpenMilliseconds));
    // The transfer failed or its outcome is unknown. The next check queries the result.
    if (error instanceof DomainError) log.warn('Payout may not have been accepted', { payoutId, attempts });
    else log.error('Payout postponed', error, { payoutId, attempts });
    await checkLater(currentPayout);
  }
}

/**
 * Stores an attempt before the transfer starts, so after a crash the next attempt queries its result first. While
 * the organizer's balance is negative, or their payouts are held, the payout waits instead, and no attempt is counted.
 * @param transferNumber the same as before if the gateway does not know that transfer, the next number if it failed
 * @returns the payout with the attempt; undefined when the payout waits
 */
async function startAttempt(payout: Payout, transferNumber: number): Promise<Payout | undefined> {
  const attempts = payout.attempts + 1;
  const sendTransition = transition(payoutLifecycle, 'send', { attempts, transfer: transferNumber });
  const sendWrite = transitionPayout(payout, sendTransition, Date.now() + leaseMilliseconds);
  try {
    await transact([
      sendWrite,
      requireNonNegativeBalance(payout),
      requireNoHold(payout.organizerId),
      ...requireNotStopped(payout),
    ]);
  } catch (error) {
    // It was requested at the moment of the stop, which the index did not show yet.
    if (error instanceof AccountStopped) await failPayout(payout);
    else if (error instanceof BalanceNegative) await waitForBalance(payout);
    else if (error instanceof PayoutsHeld) await hold(payout, error.until);
    else throw error;
    return undefined;
  }
  return findPayout(payout.id);
}

async function startTransfer(gateway: TransferGateway, payout: Payout): Promise<void> {
  const { id: payoutId, amount, currency, destination, attempts } = payout;
  await gateway.transfer({ reference: transferReference(payout), amount, currency, destination });
  log.info('Payout sent', { payoutId, attempts });
}

async function waitForBalance(payout: Payout): Promise<void> {
  const nextDueAt = Date.now() + backoffMilliseconds(1);
  await writePayout(
    transitionPayout(payout, transition(payoutLifecycle, 'wait', { isUncovered: true }), nextDueAt),
  );
  log.info('Payout waits for a non-negative balance', { payoutId: payout.id });
  await queueWhenDue({ type: 'send-payout', payoutId: payout.id }, nextDueAt, payout.organizerId);
}

async function hold(payout: Payout, heldUntil: string): Promise<void> {
  const nextDueAt = Date.parse(heldUntil);
  await writePayout(transitionPayout(payout, transition(payoutLifecycle, 'hold', { heldUntil }), nextDueAt));
  log.info('Payout held', { payoutId: payout.id });
  await queueWhenDue({ type: 'send-payout', payoutId: payout.id }, nextDueAt, payout.organizerId);
}

async function checkLater(payout: Payout): Promise<void> {
  const nextDueAt = Date.now() + backoffMilliseconds(payout.attempts);
  await postponePayout(payout, nextDueAt);
  await queueWhenDue({ type: 'send-payout', payoutId: payout.id }, nextDueAt, payout.organizerId);
}

/** Fails a payout, and makes its amount available again. @throws PayoutTransitionRefused */
export async function failPayout(payout: Payout): Promise<void> {
  if (!allows(payoutLifecycle, 'giveUp', payout.status)) return;
  const { id, amount } = payout;
  const occurrences = await preparePayout('payout.failed', { ...payout, status: 'FAILED' });
  await transact([
    transitionPayout(payout, transition(payoutLifecycle, 'giveUp'), 'never'),
    ...postEntry(payoutEntry(payout, id, 'returned', amount, new Date().toISOString())),
    insertNotification(failureNotification(payout)),
    insertPayoutAudit('payout-failed', payout, systemActor),
    ...insertMail({ kind: 'payout-failed', payoutId: id }, payout.organizerId),
    ...occurrences.writes,
  ]);
  await occurrences.queue();
  log.warn('Payout given up', { payoutId: id });
  incrementCounter('PayoutsFailed');
}

/** Builds the organizer's notification of a failed payout. */
function failureNotification({ id, organizerId, amount, currency }: Payout): Notification {
  return newNotification(`payout ${id}`, Date.now(), {
    userId: organizerId,
    type: 'WARNING',
    title: 'Payout failed',
    message: `${toDecimal(amount, currency)} ${currency} could not be sent to your bank account. The amount is available again. Please check the account, then request another payout.`,
    topic: 'payout-failed',
    values: { amount: toDecimal(amount, currency), currency },
  });
}
