import * as z from 'zod';
import { currency, minorUnits } from '../core/schemas.ts';
import { machineOver } from '../core/state-machine.ts';
import { transferGatewayNames } from '../payments/gateway.ts';

/**
 * A PENDING payout waits to be sent. A SENT one waits for the gateway's result. In both states its amount is in the
 * ledger's `pending`.
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
  /** How often it was sent to the gateway. */
  attempts: z.number(),
  /** The number of its latest transfer, from 1 on: the next one is made once this one has failed for good. */
  transfer: z.number().default(1),
  /** Whether it waits because refunds have taken what it would pay out. */
  isUncovered: z.boolean().optional(),
  /** When to continue; absent once it has ended. All times are ISO 8601 in UTC. */
  dueAt: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Payout = z.infer<typeof payout>;

/** Parses a stored item as a payout. @throws ZodError for any other item */
export function toPayout(item: unknown): Payout {
  return payout.parse(item);
}

/**
 * The reference of a payout's transfer at the gateway. A provider executes a reference once, so that repeating it
 * while the outcome is uncertain pays once, and refuses it after the transfer failed.
 */
export function transferReference({ id, transfer }: Pick<Payout, 'id' | 'transfer'>): string {
  return transfer === 1 ? id : `${id}-${transfer}`;
}

/** The payout and the transfer of a reference; undefined for text that is no reference. */
export function parseTransferReference(reference: string): { id: string; transfer: number } | undefined {
  const [, id, transfer = '1'] = /^(c[0-9a-z]{24})(?:-([1-9]\d{0,3}))?$/.exec(reference) ?? [];
  return id === undefined ? undefined : { id, transfer: Number(transfer) };
}

/** The lifecycle of a payout. A signal that is not legal in its state is late or repeated, and changes nothing. */
export const payoutLifecycle = machineOver<Payout>()('status', payoutStatuses, [
  {
    from: ['PENDING', 'SENT'],
    event: 'send',
    to: 'SENT',
    sets: ['attempts', 'transfer'],
    clears: ['isUncovered'],
  },
  // Its amount is not covered at present: it is sent once it is.
  { from: ['PENDING', 'SENT'], event: 'wait', to: 'PENDING', sets: ['isUncovered'] },
  // The gateway refused: the payout is sent again.
  { from: 'SENT', event: 'retry', to: 'PENDING' },
  // From FAILED when the money arrives after the payout was given up.
  {
    from: ['PENDING', 'SENT', 'FAILED'],
    event: 'complete',
    to: 'COMPLETED',
    sets: ['transfer'],
    clears: ['isUncovered'],
  },
  { from: ['PENDING', 'SENT'], event: 'giveUp', to: 'FAILED' },
]);
