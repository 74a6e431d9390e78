import { type AuditActor, gatewayActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { toDecimal, toNumber } from '../../core/money.ts';
import type { GatewayName } from '../../core/schemas.ts';
import { allows, transition } from '../../core/state-machine.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { insertMail } from '../../messaging/outbox/store.ts';
import { type Occurrences, prepareOccurrences, readWebhookUse } from '../../messaging/webhooks/store.ts';
import type { TransferSignal } from '../../payments/gateway.ts';
import { findConfiguredTransferGateway } from '../../payments/transfer-gateways.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { backoffMilliseconds } from '../../runtime/retry.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { payoutEntry } from '../ledger/ledger.ts';
import { postEntry } from '../ledger/store.ts';
import { type Payout, parseTransferReference, payoutLifecycle } from './payout.ts';
import { findPayout, PayoutTransitionRefused, transitionPayout, writePayout } from './store.ts';
import { toPayoutView } from './views.ts';

/**
 * Settles a payout by the signal of a gateway's webhook. Does nothing when there is no such payout. Webhooks may arrive in any order
 * and repeatedly: illegal transitions are skipped, and after a failed transfer the gateway is queried for the result
 * before the payout is sent again.
 * @throws DomainError `provider-failed` when a query to the provider fails
 */
export async function settlePayout(name: GatewayName, signal: TransferSignal): Promise<void> {
  const { id, transfer = 1 } = parseTransferReference(signal.reference) ?? {};
  const payout = id === undefined ? undefined : await findPayout(id);
  if (payout?.gateway !== name) {
    log.info('Webhook without a payout', { gateway: name });
    incrementCounter('WebhooksUnknown');
  } else if (signal.kind === 'transfer-failed') {
    await retryPayout(payout, transfer);
  } else if (await isConfirmed(payout, signal)) {
    await completePayout(payout, transfer);
  } else {
    log.warn('Transfer not confirmed', { payoutId: payout.id });
    incrementCounter('PaymentsUnderReview');
  }
}

/** Confirms a webhook by querying the provider, if VERIFY_WITH_GATEWAY is set. */
async function isConfirmed(payout: Payout, { reference }: TransferSignal): Promise<boolean> {
  if (optionalSetting('VERIFY_WITH_GATEWAY') !== 'true') return true;
  const gateway = await findConfiguredTransferGateway(payout.gateway);
  if (!gateway) return true;
  const found = await gateway.findTransfer(reference);
  return typeof found === 'object' && found.kind === 'transfer-succeeded';
}

async function retryPayout(payout: Payout, transfer: number): Promise<void> {
  if (payout.status === 'COMPLETED' && transfer === payout.transfer) {
    // The provider has taken back a transfer that had succeeded. An operator has to correct the ledger.
    log.error('Payout reversed', new Error('A succeeded transfer failed'), { payoutId: payout.id });
    incrementCounter('PaymentsUnderReview');
    return;
  }
  if (!allows(payoutLifecycle, 'retry', payout.status) || transfer !== payout.transfer) {
    log.info('Failed transfer ignored', {
      payoutId: payout.id,
      status: payout.status,
    });
    return;
  }
  try {
    const nextDueAt = Date.now() + backoffMilliseconds(payout.attempts);
    await writePayout(transitionPayout(payout, transition(payoutLifecycle, 'retry'), nextDueAt));
    await queueWhenDue({ type: 'send-payout', payoutId: payout.id }, nextDueAt, payout.organizerId);
  } catch (error) {
    if (!(error instanceof PayoutTransitionRefused)) throw error;
    await retryPayout(error.current, transfer);
  }
}

/**
 * Completes a payout whose money has arrived, once. The ledger moves the amount from `pending` to `paidOut`, or from
 * `available` for a FAILED payout. `available` falls below zero when the amount was paid out again in the meantime.
 * @param transfer the number of the transfer that succeeded
 */
export async function completePayout(payout: Payout, transfer: number): Promise<void> {
  if (!allows(payoutLifecycle, 'complete', payout.status)) {
    if (transfer !== payout.transfer) {
      // The provider executed a transfer that it had reported as failed. An operator has to reclaim the money.
      log.error('Payout arrived twice', new Error('Two transfers succeeded'), { payoutId: payout.id });
      incrementCounter('PaymentsUnderReview');
    }
    return;
  }
  const { id, amount, status } = payout;
  const step = status === 'FAILED' ? 'completedLate' : 'completed';
  try {
    const entry = payoutEntry(payout, id, step, amount, new Date().toISOString());
    const completeTransition = transition(payoutLifecycle, 'complete', { transfer });
    const auditWrite = insertPayoutAudit('payout-completed', payout, gatewayActor);
    const occurrences = await preparePayout('payout.completed', { ...payout, status: 'COMPLETED' });
    await transact([
      transitionPayout(payout, completeTransition, 'never'),
      ...postEntry(entry),
      auditWrite,
      ...insertMail({ kind: 'payout-sent', payoutId: id }, payout.organizerId),
      ...occurrences.writes,
    ]);
    await occurrences.queue();
    log.info('Payout completed', { payoutId: id });
  } catch (error) {
    if (!(error instanceof PayoutTransitionRefused)) throw error;
    await completePayout(error.current, transfer);
  }
}

/** Prepares the webhooks about a payout that has ended. */
export async function preparePayout(
  type: 'payout.completed' | 'payout.failed',
  payout: Payout,
): Promise<Occurrences> {
  const { id: payoutId, organizerId, amount, currency } = payout;
  const { hasWebhooks } = await readWebhookUse(organizerId);
  return prepareOccurrences(organizerId, hasWebhooks, [
    {
      type,
      timestamp: new Date().toISOString(),
      data: { payoutId, amount: toNumber(amount, currency), currency },
      view: () => ({ payout: toPayoutView(payout) }),
    },
  ]);
}

/** Records a step of a payout in the audit trail, without the bank account. */
export function insertPayoutAudit(
  action: 'payout-requested' | 'payout-completed' | 'payout-failed',
  { id: payoutId, organizerId, amount, currency }: Payout,
  actor: AuditActor,
): Write {
  return insertAuditEntry({
    action,
    by: actor,
    details: { payoutId, organizerId, amount: toDecimal(amount, currency), currency },
  });
}
