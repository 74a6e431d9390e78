import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { scanTable } from '../../infra/ops/table.ts';
import {
  anonymous,
  cancelOrder,
  controlSandbox,
  createCaller,
  createEvent,
  freshEmail,
  nameAttendee,
  offerSeat,
  payOrder,
  placeGuestOrder,
  readOrder,
  registerUser,
  requestOrder,
} from '../support/fixtures.ts';
import { viewerHeaders } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { connectToTable } from '../support/stack.ts';

it('an order’s access token is in the answer to the guest and in the fragment of mailed links only', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const tiers = [{ name: 'Floor', price: 50, quantity: 20 }];
  const sale = { event: await createEvent(organizer, { currency: 'NGN', tiers, buyers: 'anyone' }) };
  const headers = { 'idempotency-key': randomUUID() };
  const email = freshEmail();
  const request = { customer: { email, name: 'Gus Guest' } };
  const { body } = await requestOrder(sale, anonymous, request, headers);
  const token: string = body.accessToken;
  expect(token).toMatch(/^[\w-]{27}$/);
  expect((await requestOrder(sale, anonymous, request, headers)).body.accessToken).toBe(token);
  const guest = createCaller(`Order ${token}`);
  const order = { ...body, read: () => readOrder(guest, body.orderId) };
  // The provider redirects the buyer to the address that it was given.
  const payment = await controlSandbox(`payments/${order.reference}`, {}, 'GET');
  expect(JSON.stringify(payment)).toContain(`/orders/${order.orderId}?reference=`);
  await payOrder(order);
  await nameAttendee(guest, order.orderId, 1, { name: 'Ada' });
  await offerSeat(guest, order.orderId, 1, freshEmail());
  await cancelOrder(order.orderId, guest);
  await guest.post(`/api/orders/${order.orderId}/send`);
  await placeGuestOrder(sale, email);
  await anonymous.post('/api/orders/access', { email }, { headers: viewerHeaders() });
  const mails = [await awaitMail(email, 'Your ticket'), await awaitMail(email, 'Your orders')];
  for (const { body } of mails) expect(body.text).toContain(`/orders/${order.orderId}#${token}`);

  connectToTable();
  const where = {
    table: JSON.stringify(await scanTable(), (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    log: readFileSync(inject('functionLog') ?? '', 'utf8'),
    provider: JSON.stringify(await controlSandbox(`payments/${order.reference}`, {}, 'GET')),
    mails: JSON.stringify(mails).replaceAll(`/orders/${order.orderId}#${token}`, ''),
    order: JSON.stringify(await order.read()),
  };
  for (const [name, text] of Object.entries(where)) {
    expect(text, name).not.toBe('');
    expect(text, name).not.toContain(token);
  }
  expect(where.table).not.toContain(headers['idempotency-key']);
});
