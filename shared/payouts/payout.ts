import type { Currency } from '../core/money.ts';
import type { Transfer, TransferGatewayName } from '../payments/gateway.ts';

/**
 * PENDING waits to be sent, SENT was handed to the gateway and waits for word from it. While it is either, the
 * amount is in the ledger's `pending`.
 */
export const payoutStatuses = ['PENDING', 'SENT', 'COMPLETED', 'FAILED'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/** The legal moves. Whatever is told of a payout in another state is late or repeated, and changes nothing. */
export const payoutMoves = {
  send: { from: ['PENDING', 'SENT'], to: 'SENT' },
  /** The gateway could not: to be sent again. */
  retry: { from: ['SENT'], to: 'PENDING' },
  /** After FAILED, too: the money went out after all. */
  complete: { from: ['PENDING', 'SENT', 'FAILED'], to: 'COMPLETED' },
  giveUp: { from: ['PENDING', 'SENT'], to: 'FAILED' },
} as const satisfies Record<string, { from: PayoutStatus[]; to: PayoutStatus }>;
export type PayoutMove = keyof typeof payoutMoves;

/** Whether a move starts from the state a payout is in. */
export function mayMove({ status }: Payout, move: PayoutMove): boolean {
  return (payoutMoves[move].from as readonly PayoutStatus[]).includes(status);
}

/** Money on its way to an organizer's bank account. */
export interface Payout {
  /** Also the reference the gateway knows it by, the same for every attempt. */
  id: string;
  organizerId: string;
  /** Minor units of `currency`. */
  amount: bigint;
  currency: Currency;
  gateway: TransferGatewayName;
  destination: Transfer['destination'];
  status: PayoutStatus;
  /** How many times it was handed to the gateway. */
  attempts: number;
  /** When somebody has to look at it again; absent once there is nothing left to do. ISO 8601, as the others. */
  dueAt?: string;
  createdAt: string;
  updatedAt: string;
}
