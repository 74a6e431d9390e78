import { toAuditActor } from '../../accounts/audit/audit.ts';
import { conflict, DomainError, invalid } from '../../core/errors.ts';
import { toPrice } from '../../core/money.ts';
import { transact } from '../../dynamo/write.ts';
import { findConfiguredTransferGateway } from '../../payments/gateways.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { payoutEntry } from '../ledger/ledger.ts';
import { postEntry } from '../ledger/store.ts';
import type { Payout } from './payout.ts';
import { insertPayoutAudit } from './settle-payout.ts';
import { insertPayout, PayoutExists } from './store.ts';
import type { PayoutRequest } from './views.ts';

/**
 * Requests a payout: moves the amount from available to pending, and queues the transfer to the bank account.
 * @param id the id of the payout, chosen by the caller, so that a repeated call finds the first payout
 * @throws DomainError 400 for an amount or a currency that can't be sent, 409 for more than the available balance, 503
 * for a gateway that is not configured
 */
export async function requestPayout(
  organizerId: string,
  request: PayoutRequest,
  id: string,
): Promise<Payout> {
  const { gateway, currency, destination } = request;
  const transferGateway = await findConfiguredTransferGateway(gateway);
  if (!transferGateway)
    throw new DomainError('unavailable', 'gateway-not-configured', `${gateway} is not available`);
  if (!transferGateway.supports(currency)) {
    throw invalid(`${gateway} does not send ${currency}`, 'currency-not-supported');
  }
  const amount = toPrice(request.amount, currency, 'amount');
  const timestamp = new Date().toISOString();
  const payout: Payout = {
    id,
    organizerId,
    amount,
    currency,
    gateway,
    destination,
    status: 'PENDING',
    attempts: 0,
    transfer: 1,
    createdAt: timestamp,
    updatedAt: timestamp,
  };
  const whenSufficient = {
    when: '#available >= :amount',
    values: { amount },
    orThrow: () =>
      conflict('insufficient-balance', `The amount exceeds your available balance in ${currency}`),
  };
  try {
    await transact([
      insertPayout(payout),
      ...postEntry(payoutEntry(payout, id, 'reserved', amount, timestamp), whenSufficient),
      insertPayoutAudit('payout-requested', payout, toAuditActor({ userId: organizerId })),
    ]);
  } catch (error) {
    if (error instanceof PayoutExists) return error.current;
    throw error;
  }
  await queueWhenDue({ type: 'send-payout', payoutId: id }, Date.parse(timestamp), organizerId);
  return payout;
}
