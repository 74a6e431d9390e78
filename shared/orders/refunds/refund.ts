/**
 * `pending` waits for the gateway, `failed` was given up and waits for a person to ask again, `manual` was paid on
 * a chain: nobody but the owner of the treasury can send that back.
 */
export const refundStatuses = ['pending', 'done', 'failed', 'manual'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** The legal moves, once it has begun: as `done` when nothing was paid, as `manual` or as `pending`. */
export const refundMoves = {
  /** What was given up may be sent by hand as well. */
  complete: { from: ['pending', 'manual', 'failed'], to: 'done' },
  giveUp: { from: ['pending'], to: 'failed' },
  repeat: { from: ['failed'], to: 'pending' },
} as const satisfies Record<string, { from: RefundStatus[]; to: RefundStatus }>;

/** The return of what an order was paid with. Tickets, stock and ledger were put right when it began. */
export interface Refund {
  status: RefundStatus;
  /** All that was paid, the fee included: minor units of the order's currency. */
  amount: bigint;
  /** Calls of the gateway that brought nothing so far. */
  attempts: number;
  /** When to look at it again while it is pending. ISO 8601 in UTC, as `at`. */
  dueAt: string;
  /** When it came into its present status. */
  at: string;
  /** What proves that it was sent by hand. */
  transactionId?: string;
}

/** A refund in the status that a move leads to. @throws Error for a move that does not start from its status */
export function moved(refund: Refund, move: keyof typeof refundMoves, at: string): Refund {
  const { from, to } = refundMoves[move];
  if (!(from as readonly RefundStatus[]).includes(refund.status)) {
    throw new Error(`A refund that is ${refund.status} can not ${move}`);
  }
  return { ...refund, status: to, attempts: 0, dueAt: at, at };
}
