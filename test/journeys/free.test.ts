import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { registerUser } from '../support/people.ts';
import { openSale, readOrder } from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';

/** Tickets that cost nothing. */

describe.each([
  ['FIAT', { paymentMethod: 'FIAT' }],
  ['FIAT, by a gateway that does not take the currency', { paymentMethod: 'FIAT', gateway: 'gateway-b' }],
  ['CRYPTO, in a currency of no chain', { paymentMethod: 'CRYPTO' }],
])('a free order: %s', (_, method) => {
  it('is completed at once, without a gateway, as any other is', async () => {
    const buyer = await registerUser({ walletAddress: `0x${'5a'.repeat(20)}` });
    const { event, organizer } = await openSale({ price: 0, currency: 'JPY' });
    const { ticketContract, chainId } = sharedStack();
    const onChain = { contractAddress: ticketContract, chainId };
    await call('PUT', `/api/events/${event.id}`, { token: organizer.token, body: onChain });

    const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 2, ...method };
    const headers = { 'idempotency-key': `free ${event.id}` };
    const answer = await call('POST', '/api/orders/initialize', { token: buyer.token, body, headers });
    expect(answer).toMatchObject({ status: 201, body: { totalAmount: 0, paymentStatus: 'COMPLETED' } });
    expect(answer.body).not.toHaveProperty('checkoutUrl');
    expect(answer.body).not.toHaveProperty('payment');
    const again = await call('POST', '/api/orders/initialize', { token: buyer.token, body, headers });
    expect(again.body).toEqual(answer.body);

    const { orderId } = answer.body;
    expect(await readOrder(buyer, orderId)).toMatchObject({
      paymentStatus: 'COMPLETED',
      paymentTxId: 'free',
    });
    const { available } = (await call('GET', `/api/events/${event.id}`)).body.event.tiers[0];
    expect(available).toBe(98);
    await eventually('The tickets are minted', async () => {
      return (await readOrder(buyer, orderId)).fulfilment.status === 'minted';
    });
    const { tickets } = (await call('GET', `/api/tickets?orderId=${orderId}`, { token: buyer.token })).body;
    expect(tickets).toHaveLength(2);
    const { notifications } = (await call('GET', '/api/notifications', { token: buyer.token })).body;
    expect(notifications).toMatchObject([{ type: 'SUCCESS', title: 'Ticket Purchase Successful' }]);
    const { balances } = (await call('GET', '/api/organizer/balance', { token: organizer.token })).body;
    expect(balances.filter((one: { available: number }) => one.available !== 0)).toEqual([]);
  });
});
