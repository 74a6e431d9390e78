import { describe, expect, it } from 'vitest';
import {
  acceptTransfer,
  anonymous,
  buyTickets,
  type Caller,
  createCaller,
  createEvent,
  expectStatus,
  findSeat,
  offerSeat,
  openSale,
  type Person,
  placeOrder,
  readCheckInCodes,
  registerUser,
} from '../support/fixtures.ts';
import { errorOf, viewerHeaders } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';

/** What somebody keeps who has registered with another person's address, once that person has the account. */

/** Sets a new password by the link that is mailed to the address. @returns a session of the address's owner */
async function takeOver({ user: { email } }: Person): Promise<Caller> {
  await anonymous.post('/api/auth/forgot-password', { email }, { headers: viewerHeaders() });
  const { body } = await awaitMail(email, 'Reset your password');
  const token = /reset-password\?token=([\w-]{43})/.exec(body.text)?.[1];
  const credentials = { email, password: 'known to the owner' };
  const { password } = credentials;
  expectStatus(200, await anonymous.post('/api/auth/reset-password', { token, password }));
  return createCaller(expectStatus(200, await anonymous.post('/api/auth/login', credentials)).token);
}

describe('a squatter, after the owner of the address has set a password', () => {
  it('has no API key or webhook endpoint of the account', async () => {
    const squatter = await registerUser({ role: 'ORGANIZER' });
    const scopes = ['orders:read', 'webhooks:write'];
    const { secret } = expectStatus(201, await squatter.post('/api/keys', { name: 'CRM', scopes }));
    const endpoint = { url: 'https://squatter.example/orders', types: ['order.completed'], expand: true };
    expectStatus(201, await squatter.post('/api/webhook-endpoints', endpoint));
    const owner = await takeOver(squatter);
    const event = await createEvent(owner);
    const key = createCaller(secret);
    expect(errorOf(await key.get(`/api/events/${event.id}/orders`))).toEqual([401, 'invalid-token']);
    expect((await owner.get('/api/keys')).body.keys).toEqual([]);
    const { endpoints } = (await owner.get('/api/webhook-endpoints')).body;
    expect(endpoints).toMatchObject([{ url: endpoint.url, status: 'disabled' }]);
  });

  it('neither enables nor adds a webhook endpoint with an API key that was just in use', async () => {
    const squatter = await registerUser({ role: 'ORGANIZER' });
    const scopes = ['orders:read', 'webhooks:write'];
    const { secret } = expectStatus(201, await squatter.post('/api/keys', { name: 'CRM', scopes }));
    const key = createCaller(secret);
    const input = { url: 'https://squatter.example/orders', types: ['order.completed'], expand: true };
    const { endpoint } = expectStatus(201, await key.post('/api/webhook-endpoints', input));
    const enable = () => key.put(`/api/webhook-endpoints/${endpoint.id}`, { ...input, enabled: true });
    expectStatus(200, await enable());
    const owner = await takeOver(squatter);
    await enable();
    await key.post('/api/webhook-endpoints', input);
    const { endpoints } = (await owner.get('/api/webhook-endpoints')).body;
    expect(endpoints).toMatchObject([{ id: endpoint.id, status: 'disabled' }]);
  });

  it('neither reads nor moves the tickets that the owner then buys, with an earlier access token', async () => {
    const [sale, squatter] = await Promise.all([openSale({ price: 0 }), registerUser()]);
    const earlier = await placeOrder(sale, squatter);
    const owner = await takeOver(squatter);
    const { orderId } = await placeOrder(sale, owner);
    expect(await readCheckInCodes(owner, orderId)).toHaveLength(1);
    for (const path of ['', '/tickets.pdf', '/seats/1/ticket.pdf'])
      expect((await squatter.get(`/api/orders/${orderId}${path}`)).status).toBe(404);
    const orderIdsOf = async (caller: Caller) =>
      (await caller.get('/api/orders')).body.orders.map(({ id }: { id: string }) => id);
    expect(await orderIdsOf(owner)).toEqual([orderId, earlier.orderId]);
    expect(await orderIdsOf(squatter)).toEqual([earlier.orderId]);
    const seatsOf = async (caller: Caller) =>
      (await caller.get('/api/seats')).body.seats.map((seat: { orderId: string }) => seat.orderId);
    expect(await seatsOf(owner)).toEqual([orderId, earlier.orderId]);
    expect(await seatsOf(squatter)).toEqual([earlier.orderId]);
    expect(errorOf(await offerSeat(squatter, orderId, 1, 'accomplice@example.com'))).toEqual([
      404,
      'seat-not-found',
    ]);
  });

  it('neither reads nor moves a ticket that the owner then accepts', async () => {
    const [sale, squatter, sender] = await Promise.all([openSale(), registerUser(), registerUser()]);
    const { orderId } = await buyTickets(sale, sender, 1);
    const { transfer } = expectStatus(201, await offerSeat(sender, orderId, 1, squatter.user.email));
    const owner = await takeOver(squatter);
    const token = transfer.token ?? '';
    expect({ token }).toEqual({ token: expect.stringContaining(orderId) });
    expectStatus(200, await acceptTransfer(owner, token));
    expect((await findSeat(owner, orderId, 1)).code).toEqual(expect.any(String));
    expect((await squatter.get('/api/seats')).body.seats).toEqual([]);
    expect((await squatter.get(`/api/orders/${orderId}/seats/1/ticket.pdf`)).status).toBe(404);
    expect(errorOf(await offerSeat(squatter, orderId, 1, 'accomplice@example.com'))).toEqual([
      404,
      'seat-not-found',
    ]);
  });
});
