import type { Balance } from '../ledger/store.ts';
import { toNumber } from '../money.ts';
import type { Payout } from './payout.ts';

/** What the API shows of a payout; of the account's number only the end, by which its owner knows it. */
export function toPayoutView({ destination, ...payout }: Payout) {
  return {
    id: payout.id,
    amount: toNumber(payout.amount, payout.currency),
    currency: payout.currency,
    gateway: payout.gateway,
    destination: {
      accountNumber: `****${destination.accountNumber.slice(-4)}`,
      bankCode: destination.bankCode,
      accountName: destination.accountName,
    },
    status: payout.status,
    attempts: payout.attempts,
    createdAt: payout.createdAt,
    updatedAt: payout.updatedAt,
  };
}

export function toBalanceView({ currency, available, pending, paidOut }: Balance) {
  return {
    currency,
    available: toNumber(available, currency),
    pending: toNumber(pending, currency),
    paidOut: toNumber(paidOut, currency),
  };
}
