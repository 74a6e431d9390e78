import * as z from 'zod';
import { toNumber } from '../../core/money.ts';
import { amount, currency, identifier, time } from '../../core/schemas.ts';
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

/** Selects the fields of a payout that the API shows, with the account number's last four characters. */
export function toPayoutView({ destination, ...payout }: Payout): z.infer<typeof payoutView> {
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
    waitsFor: payout.isUncovered ? 'balance' : null,
    attempts: payout.attempts,
    createdAt: payout.createdAt,
    updatedAt: payout.updatedAt,
  };
}

export function toBalanceView({
  currency,
  upcoming,
  available,
  pending,
  paidOut,
}: Balance): z.infer<typeof balanceView> {
  return {
    currency,
    upcoming: toNumber(upcoming, currency),
    available: toNumber(available, currency),
    pending: toNumber(pending, currency),
    paidOut: toNumber(paidOut, currency),
  };
}
