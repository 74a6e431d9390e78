import { describe, expect, it } from 'vitest';
import { moved, type Refund, refundMoves, refundStatuses } from '../../../shared/orders/refunds/refund.ts';

const at = '2026-11-21T13:00:00.000Z';
const later = '2026-11-21T14:00:00.000Z';
const refund: Refund = { status: 'pending', amount: 100n, attempts: 3, dueAt: at, at };

describe('a refund', () => {
  it('restarts in each status with no attempts counted', () => {
    expect(moved(refund, 'complete', later)).toEqual({
      ...refund,
      status: 'done',
      attempts: 0,
      dueAt: later,
      at: later,
    });
  });

  it('allows these transitions and no other', () => {
    const moves = Object.keys(refundMoves) as (keyof typeof refundMoves)[];
    const isLegal = (status: Refund['status'], move: keyof typeof refundMoves) => {
      try {
        moved({ ...refund, status }, move, later);
        return true;
      } catch {
        return false;
      }
    };
    const legal = refundStatuses.map((status) => [status, moves.filter((move) => isLegal(status, move))]);
    expect(Object.fromEntries(legal)).toEqual({
      pending: ['complete', 'giveUp'],
      done: [],
      failed: ['complete', 'repeat'],
      manual: ['complete'],
    });
  });
});
