import * as z from 'zod';
import { toNumber } from '../../core/money.ts';
import {
  amount,
  currency,
  filledText,
  gatewayNames,
  identifier,
  idInput,
  time,
  toView,
  transferGatewayNames,
} from '../../core/schemas.ts';
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
    waitsFor: z.enum(['balance', 'new-account', 'factors-reset']).nullable().meta({
      description:
        'Why the payout waits. `balance`: refunds or disputes have made the available balance negative. `new-account`: it is the first to this bank account. `factors-reset`: the organizer’s second factors were reset less than 72 hours ago',
    }),
    attempts: z.int().meta({ description: 'The number of attempts to send it to the gateway' }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Payout' });

export const balanceView = z
  .object({
    currency,
    upcoming: amount.meta({ description: 'Earned by sales, available once their events have ended' }),
    available: amount.meta({
      description: 'Can be paid out. Negative when refunds and disputes exceeded it',
    }),
    disputed: amount.meta({ description: 'Reserved until the disputes of buyers at the gateway end' }),
    pending: amount.meta({ description: 'On its way to a bank account' }),
    paidOut: amount.meta({ description: 'Arrived at a bank account' }),
  })
  .meta({ id: 'Balance' });

/** Shows a payout with the last four characters of the account number. */
export function toPayoutView(payout: Payout): z.infer<typeof payoutView> {
  const { amount, currency, destination, isUncovered, newAccountUntil, heldUntil, status, attempts } = payout;
  const isWaitingForAccount = newAccountUntil !== undefined && status === 'PENDING' && attempts === 0;
  return toView(payoutView, payout, {
    amount: toNumber(amount, currency),
    destination: { ...destination, accountNumber: `****${destination.accountNumber.slice(-4)}` },
    waitsFor: isUncovered
      ? 'balance'
      : isWaitingForAccount
        ? 'new-account'
        : heldUntil !== undefined && status === 'PENDING'
          ? 'factors-reset'
          : null,
  });
}

export function toBalanceView(balance: Balance): z.infer<typeof balanceView> {
  const inMajorUnits = (amount: bigint) => toNumber(amount, balance.currency);
  return toView(balanceView, balance, {
    upcoming: inMajorUnits(balance.upcoming),
    available: inMajorUnits(balance.available),
    disputed: inMajorUnits(balance.disputed),
    pending: inMajorUnits(balance.pending),
    paidOut: inMajorUnits(balance.paidOut),
  });
}

/** The request for a payout. The amount may have as many decimals as its currency. */
export const payoutRequest = z
  .object({
    amount: z.number().positive().max(1_000_000_000_000).meta({
      description: 'In major units of the currency, at most the available balance in it',
    }),
    currency: currency.meta({
      description: 'A currency that the gateway pays out, and in which the caller has a balance',
    }),
    gateway: z.enum(transferGatewayNames).meta({ description: 'The gateway that sends the money' }),
    destination: z
      .object({
        // Digits in most countries; IBANs begin with letters.
        accountNumber: z
          .string()
          .regex(/^[A-Za-z0-9]{6,34}$/, 'must have 6 to 34 letters and digits')
          .meta({ description: 'As the bank writes it, without spaces' }),
        bankCode: z
          .string()
          .regex(/^[\w-]{2,20}$/, 'must have 2 to 20 letters, digits, hyphens or underscores')
          .meta({ description: 'The bank’s code at this gateway: see `GET /api/banks`' }),
        accountName: filledText(100).meta({ description: 'The name of the account’s owner' }),
      })
      .optional()
      .meta({ description: 'The bank account; responses show the last four characters of its number' }),
    sameAccountAs: idInput.optional().meta({
      description:
        'Instead of `destination`: the id of an earlier payout at this gateway, to the same account',
    }),
  })
  .refine(({ destination, sameAccountAs }) => Boolean(destination) !== Boolean(sameAccountAs), {
    path: ['destination'],
    message: 'is required, unless sameAccountAs is given',
  })
  .meta({
    examples: [
      {
        amount: 2500,
        currency: 'NGN',
        gateway: 'gateway-a',
        destination: { accountNumber: '0123456789', bankCode: '058', accountName: 'Olga Organizer' },
      },
    ],
  });
export type PayoutRequest = z.infer<typeof payoutRequest>;

export const payoutStop = z
  .object({ token: z.string().max(2_000).meta({ description: 'The token of the link in the mail' }) })
  .meta({ examples: [{ token: 'fQwR7s1kXo2mTz8yB0nC4uJ6hLd9aVgE3pIxW5rKtSU' }] });

export const bankQuery = z.object({
  gateway: z.enum(gatewayNames).meta({ description: 'The gateway that would send the payout' }),
  currency: currency.meta({ description: 'The currency of the payout' }),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a country code such as NG')
    .optional()
    .meta({
      description:
        'ISO 3166-1 alpha-2. Default: the country of the currency; required with gateway-b for EUR, XAF and XOF, which several countries use. gateway-a ignores it: each of its currencies has one country.',
      examples: ['NG'],
    }),
});
export type BankQuery = z.infer<typeof bankQuery>;

export const bankView = z
  .object({
    name: z.string().meta({ examples: ['Guaranty Trust Bank'] }),
    code: z.string().meta({
      description: 'The `bankCode` of a payout by the same gateway; other gateways may use other codes',
      examples: ['058'],
    }),
  })
  .meta({ id: 'Bank' });
