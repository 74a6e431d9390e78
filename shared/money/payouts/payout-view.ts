import * as z from 'zod';
import { toNumber } from '../../core/money.ts';
import { amount, currency, identifier, time } from '../../core/schemas.ts';
import { toView } from '../../core/view.ts';
import { transferGatewayNames } from '../../payments/gateway.ts';
import type { Balance } from '../ledger/ledger.ts';
import { type Payout, payoutStatuses } from './payout.ts';

export const payoutView = z
  .object({
    id: identifier,
    amount,
    currency,
    gateway: z.enum(transferGatewayNames).meta({ description: 'The gateway that sends the money' }),
    destination: z.object({
      accountNumber: z.string().meta({ examples: ['****6789'] }),
      bankCode: z.string(),
      accountName: z.string(),
    }),
    status: z.enum(payoutStatuses).meta({
      description:
        '`PENDING`: not sent yet. `SENT`: the gateway’s result is not known yet. `COMPLETED`: paid. `FAILED`: the amount is available again',
    }),
    waitsFor: z
      .enum(['balance'])
      .nullable()
      .meta({ description: 'Why the payout waits: refunds have made the available balance negative' }),
    attempts: z.int().meta({ description: 'The number of attempts to send it to the gateway' }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Payout' });

export const balanceView = z
  .object({
    currency,
    upcoming: amount.meta({ description: 'Earned by sales, available once their events have ended' }),
    available: amount.meta({ description: 'Can be paid out. Negative when refunds exceeded it' }),
    pending: amount.meta({ description: 'On its way to a bank account' }),
    paidOut: amount.meta({ description: 'Arrived at a bank account' }),
  })
  .meta({ id: 'Balance' });

/** Shows a payout with the last four characters of the account number. */
export function toPayoutView(payout: Payout): z.infer<typeof payoutView> {
  const { amount, currency, destination, isUncovered } = payout;
  return toView(payoutView, payout, {
    amount: toNumber(amount, currency),
    destination: { ...destination, accountNumber: `****${destination.accountNumber.slice(-4)}` },
    waitsFor: isUncovered ? 'balance' : null,
  });
}

export function toBalanceView(balance: Balance): z.infer<typeof balanceView> {
  const inMajorUnits = (amount: bigint) => toNumber(amount, balance.currency);
  return toView(balanceView, balance, {
    upcoming: inMajorUnits(balance.upcoming),
    available: inMajorUnits(balance.available),
    pending: inMajorUnits(balance.pending),
    paidOut: inMajorUnits(balance.paidOut),
  });
}
