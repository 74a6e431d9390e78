import { beforeAll, describe, expect, it } from 'vitest';
import { buyTickets, openSale, type Person, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';

let buyer: Person;
beforeAll(async () => {
  buyer = await registerUser();
});

describe('an order', () => {
  it('is refused with 400 above 500 tickets', async () => {
    const { event } = await openSale({ quantity: 10_000 });
    const initialize = (quantity: number) =>
      call('POST', '/api/orders/initialize', {
        token: buyer.token,
        body: { eventId: event.id, tierId: event.tiers[0].id, quantity, paymentMethod: 'FIAT' },
      });
    const refusal = await initialize(501);
    expect(refusal.status).toBe(400);
    expect(refusal.body.error).toContain('quantity');
    // 500 tickets exceed only the tier's limit of 10 per person.
    expect((await initialize(500)).status).toBe(409);
  });

  it('can be queued for minting five times a day', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 1);
    const fulfil = () => call('POST', `/api/orders/${orderId}/fulfil`, { token: sale.organizer.token });
    for (let time = 1; time <= 5; time++) expect((await fulfil()).status).toBe(200);
    const refusal = await fulfil();
    expect(refusal.status).toBe(429);
    expect(refusal.headers.get('x-error-code')).toBe('too-many-attempts');
    const seconds = Number(refusal.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(86_000);
    expect(seconds).toBeLessThanOrEqual(86_400);
    // The limit applies per order.
    const other = await buyTickets(sale, buyer, 1);
    const path = `/api/orders/${other.orderId}/fulfil`;
    expect((await call('POST', path, { token: sale.organizer.token })).status).toBe(200);
  });
});
