import * as z from 'zod';
import { operatorActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { toDecimal, toPrice } from '../../core/money.ts';
import { currency } from '../../core/schemas.ts';
import { transact } from '../../dynamo/write.ts';
import { manualPayoutEntry } from '../ledger/ledger.ts';
import { EntryExists, postEntry } from '../ledger/store.ts';

export const balanceSettlement = z.object({
  organizer: z.string().regex(/^\w+$/, 'must be the id of a user'),
  currency,
  amount: z.string(),
  transaction: z.string().regex(/^[\w.:-]{1,100}$/, 'must be the reference, hash or id of the transfer'),
});

/**
 * Records a payment that an operator has made to an organizer by hand, in a currency that no gateway pays out. A
 * transaction is recorded once.
 * @throws DomainError 409 for more than the available balance, and for a transaction that is recorded already
 */
export async function settleBalance(settlement: z.infer<typeof balanceSettlement>): Promise<void> {
  const { organizer: organizerId, currency, transaction } = settlement;
  const amount = toPrice(settlement.amount, currency, 'amount');
  if (amount <= 0n) throw invalid('amount must be above 0');
  const timestamp = new Date().toISOString();
  const whenSufficient = {
    when: '#available >= :amount',
    values: { amount },
    orThrow: () =>
      conflict('insufficient-balance', `The amount exceeds the available balance in ${currency}`),
  };
  try {
    await transact([
      ...postEntry(
        manualPayoutEntry({ organizerId, currency }, transaction, amount, timestamp),
        whenSufficient,
      ),
      insertAuditEntry({
        action: 'balance-settled',
        by: operatorActor,
        details: { organizerId, amount: toDecimal(amount, currency), currency, transactionId: transaction },
        at: timestamp,
      }),
    ]);
  } catch (error) {
    if (error instanceof EntryExists) throw conflict('busy', 'This transaction is recorded already');
    throw error;
  }
}
