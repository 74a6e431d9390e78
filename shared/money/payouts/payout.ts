import * as z from 'zod';
import { currency, minorUnits, transferGatewayNames } from '../../core/schemas.ts';
import { defineMachine } from '../../core/state-machine.ts';

/**
 * PENDING: not sent yet. SENT: the gateway's result is not known yet. In both states the amount is in the ledger's
 * account `pending`.
 */
export const payoutStatuses = ['PENDING', 'SENT', 'COMPLETED', 'FAILED'] as const;

/** A transfer to an organizer's bank account, as it is stored. */
const payout = z.object({
  id: z.string(),
  organizerId: z.string(),
  /** Minor units of `currency`. */
  amount: minorUnits,
  currency,
  gateway: z.enum(transferGatewayNames),
  destination: z.object({ accountNumber: z.string(), bankCode: z.string(), accountName: z.string() }),
  status: z.enum(payoutStatuses),
  /** The number of attempts to send it to the gateway. */
  attempts: z.number(),
  /**
   * The number of its latest transfer, from 1 on. The next transfer starts only after this one has definitely failed.
   */
  transfer: z.number().default(1),
  /** Whether the payout waits because refunds have made the available balance negative. */
  isUncovered: z.boolean().optional(),
  /** Until when the payout waits, since the organizer's second factors were reset. */
  heldUntil: z.string().optional(),
  /** Until when the first payouts to a new bank account wait. */
  newAccountUntil: z.string().optional(),
  /** When to continue the payout; absent when it is COMPLETED or FAILED. All times are ISO 8601 in UTC. */
  dueAt: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Payout = z.infer<typeof payout>;

export function toPayout(item: unknown): Payout {
  return payout.parse(item);
}

/**
 * Returns the reference of a payout's transfer at the gateway. A provider executes a reference once, so repeating a
 * transfer of uncertain outcome pays once. After a failed transfer the provider refuses the reference.
 */
export function transferReference({ id, transfer }: Pick<Payout, 'id' | 'transfer'>): string {
  return transfer === 1 ? id : `${id}-${transfer}`;
}

/** Parses a reference into the payout id and the number of the transfer; returns undefined for any other text. */
export function parseTransferReference(reference: string): { id: string; transfer: number } | undefined {
  const [, id, transfer = '1'] = /^(c[0-9a-z]{24})(?:-([1-9]\d{0,3}))?$/.exec(reference) ?? [];
  return id === undefined ? undefined : { id, transfer: Number(transfer) };
}

/** The lifecycle of a payout. A signal that is illegal in the current state is late or repeated, and is ignored. */
export const payoutLifecycle = defineMachine<Payout>()('status', payoutStatuses, [
  {
    from: ['PENDING', 'SENT'],
    event: 'send',
    to: 'SENT',
    sets: ['attempts', 'transfer'],
    clears: ['isUncovered', 'heldUntil'],
  },
  { from: ['PENDING', 'SENT'], event: 'hold', to: 'PENDING', sets: ['heldUntil'] },
  // The payout waits while the available balance is negative.
  { from: ['PENDING', 'SENT'], event: 'wait', to: 'PENDING', sets: ['isUncovered'] },
  // The gateway refused the transfer, so the payout is sent again.
  { from: 'SENT', event: 'retry', to: 'PENDING' },
  // From FAILED when the money arrives after the payout was given up.
  {
    from: ['PENDING', 'SENT', 'FAILED'],
    event: 'complete',
    to: 'COMPLETED',
    sets: ['transfer'],
    clears: ['isUncovered', 'heldUntil'],
  },
  { from: ['PENDING', 'SENT'], event: 'giveUp', to: 'FAILED' },
]);
