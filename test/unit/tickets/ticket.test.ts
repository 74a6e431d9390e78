import { describe, expect, it } from 'vitest';
import { ticketId, ticketIdPrefix } from '../../../shared/tickets/ticket.ts';

describe('ticket ids', () => {
  it('end in the ticket’s number within its order, with leading zeros, so that ids sort by it', () => {
    const ids = [1, 2, 9, 10, 99, 100, 999].map((number) => ticketId('corder', number));
    expect(ids[0]).toBe('corder-001');
    expect([...ids].sort()).toEqual(ids);
  });

  it('have a different prefix for each order', () => {
    expect(ticketId('corder', 1).startsWith(ticketIdPrefix('corder'))).toBe(true);
    expect(ticketId('corder2', 1).startsWith(ticketIdPrefix('corder'))).toBe(false);
  });
});
