import { describe, expect, it } from 'vitest';
import { ticketId, ticketIdPrefix } from '../../../shared/tickets/ticket.ts';

describe('ticket ids', () => {
  it('number the tickets of an order from 001', () => {
    const ids = [1, 2, 9, 10, 99, 100, 999].map((number) => ticketId('corder', number));
    expect(ids[0]).toBe('corder-001');
    expect([...ids].sort()).toEqual(ids);
  });

  it('have a prefix of their own for each order', () => {
    expect(ticketId('corder', 1).startsWith(ticketIdPrefix('corder'))).toBe(true);
    expect(ticketId('corder2', 1).startsWith(ticketIdPrefix('corder'))).toBe(false);
  });
});
