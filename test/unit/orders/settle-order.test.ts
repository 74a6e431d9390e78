import { afterEach, expect, it, vi } from 'vitest';
import type { Order } from '../../../shared/orders/order.ts';
import { settle } from '../../../shared/orders/settlement/settle-order.ts';

afterEach(() => vi.restoreAllMocks());

const order = {
  id: 'order',
  reference: 'BOX-EVENT-1795000000000-7Q2WK9XD',
  paymentStatus: 'COMPLETED',
  paymentTxId: 'first',
  isPosted: true,
} as Order;

/** Reports a payment of the order. @returns the lines of the log and the metrics */
async function settleAgain(transactionId: string): Promise<string[]> {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  }
  expect(await settle(order, { kind: 'paid', reference: order.reference, transactionId })).toBe('repeated');
  return lines;
}

it('logs the transaction of a second payment, which an operator has to send back', async () => {
  const [line = ''] = await settleAgain('second');
  expect(JSON.parse(line)).toMatchObject({
    level: 'WARN',
    message: 'Second payment for an order',
    orderId: 'order',
    transactionId: 'second',
  });
});

it('logs nothing about a repeated report of the same payment', async () => {
  expect(await settleAgain('first')).toEqual([]);
});
