import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  addStaff,
  buyTickets,
  createCode,
  openSale,
  type Person,
  readBalance,
  readOrder,
  registerAdmin,
  registerUser,
  requestOrder,
  type Sale,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';

let sale: Sale;
let buyer: Person;
let admin: Person;
let manager: Person;
beforeAll(async () => {
  [sale, buyer, admin, manager] = await Promise.all([
    openSale({ price: 100 }),
    registerUser(),
    registerAdmin(),
    registerUser({ name: 'Mia Manager' }),
  ]);
  await addStaff(sale.organizer, sale.event.id, manager, 'manager');
});

interface Entry {
  id: string;
  at: string;
  action: string;
  by: { type: string; userId: string | null; name: string | null };
  eventId: string | null;
  details: Record<string, string>;
}

/** Reads the audit trail of an event as its organizer, oldest entry first. */
async function readTrail({ organizer, event }: Sale): Promise<Entry[]> {
  const { token } = organizer;
  const answer = await call('GET', `/api/events/${event.id}/audit?limit=100`, { token });
  expect(answer.status).toBe(200);
  return answer.body.entries.reverse();
}

/** Returns the entries of the platform's trail with these details, newest first. */
async function findPlatformEntries(details: Record<string, string>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/api/audit?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const { body } = await admin.get(path);
    entries.push(...body.entries);
    cursor = body.nextCursor;
  }
  return entries.filter((entry) =>
    Object.entries(details).every(([name, value]) => entry.details[name] === value),
  );
}

const actionsOf = (entries: Entry[]) => entries.map(({ action }) => action);
const requestRefund = (orderId: string, { token }: Person) =>
  call('POST', `/api/orders/${orderId}/refund`, { token });

describe('the audit trail of an event', () => {
  it('records who added, changed and removed a member of staff', async () => {
    const ownSale = await openSale();
    const helper = await registerUser();
    await addStaff(ownSale.organizer, ownSale.event.id, helper, 'door');
    await addStaff(ownSale.organizer, ownSale.event.id, helper, 'door'); // changes nothing
    await addStaff(ownSale.organizer, ownSale.event.id, helper, 'manager');
    const body = { email: helper.user.email };
    await ownSale.organizer.delete(`/api/events/${ownSale.event.id}/staff`, body);
    const { id: userId, name } = ownSale.organizer.user;
    const expectedEntry = (action: string, details: object) => ({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      action,
      by: { type: 'user', userId, name },
      eventId: ownSale.event.id,
      details: { userId: helper.user.id, ...details },
    });
    expect(
      await eventually('three entries are listed', async () => {
        const trail = await readTrail(ownSale);
        return trail.length === 3 && trail;
      }),
    ).toEqual([
      expectedEntry('staff-added', { role: 'door' }),
      expectedEntry('staff-changed', { role: 'manager', before: 'door' }),
      expectedEntry('staff-removed', { role: 'manager' }),
    ]);
  });

  it('records who created, changed, deactivated and deleted a code', async () => {
    const ownSale = await openSale();
    const { id: eventId, tiers } = ownSale.event;
    await addStaff(ownSale.organizer, eventId, manager, 'manager');
    const requestChange = async (body: object) =>
      (await manager.put(`/api/events/${eventId}/codes/CREW`, body)).status;
    const requestDeletion = async (code: string) =>
      (await manager.delete(`/api/events/${eventId}/codes/${code}`)).status;
    await createCode(ownSale, { code: 'CREW', kind: 'percent', value: 10, maxUses: 5 });
    expect(await requestChange({ value: 100, validUntil: '2099-01-01' })).toBe(200);
    expect(await requestChange({ value: 100 })).toBe(200); // changes nothing
    expect(await requestChange({ value: 101 })).toBe(400);
    expect((await requestOrder(ownSale, buyer, { code: 'CREW' })).status).toBe(201);
    expect(await requestDeletion('CREW')).toBe(200);
    await createCode(ownSale, { code: 'UNUSED', kind: 'access', tierIds: [tiers[0].id] });
    expect(await requestDeletion('UNUSED')).toBe(200);
    const trail = await eventually('the deletion is listed', async () => {
      const found = await readTrail(ownSale);
      return actionsOf(found).includes('code-deleted') && found;
    });
    expect(trail.slice(1).map(({ action, by, details }) => [action, by.userId, details])).toEqual([
      [
        'code-created',
        ownSale.organizer.user.id,
        { code: 'CREW', kind: 'percent', value: '10', tierIds: 'all', maxUses: '5', active: 'true' },
      ],
      [
        'code-changed',
        manager.user.id,
        {
          code: 'CREW',
          value: '100',
          valueBefore: '10',
          validUntil: '2099-01-01T00:00:00.000Z',
          validUntilBefore: 'none',
        },
      ],
      ['code-changed', manager.user.id, { code: 'CREW', active: 'false', activeBefore: 'true' }],
      [
        'code-created',
        ownSale.organizer.user.id,
        { code: 'UNUSED', kind: 'access', tierIds: tiers[0].id, active: 'true' },
      ],
      ['code-deleted', manager.user.id, { code: 'UNUSED' }],
    ]);
  });

  it('records the requester and the completion of a refund, once each', async () => {
    const [firstOrder, secondOrder] = [await buyTickets(sale, buyer, 1), await buyTickets(sale, buyer, 2)];
    await Promise.all([
      requestRefund(firstOrder.orderId, manager),
      requestRefund(firstOrder.orderId, manager),
    ]);
    expect((await requestRefund(secondOrder.orderId, admin)).status).toBe(200);
    await eventually('the refunds are done', async () => {
      const orders = await Promise.all(
        [firstOrder, secondOrder].map(({ orderId }) => readOrder(buyer, orderId)),
      );
      return orders.every((order) => order.refund.status === 'done');
    });
    const trail = (await readTrail(sale)).filter(({ action }) => action.startsWith('refund'));
    const entriesOf = (orderId: string) => trail.filter(({ details }) => details.orderId === orderId);
    expect(actionsOf(entriesOf(firstOrder.orderId))).toEqual(['refund-requested', 'refund-completed']);
    expect(entriesOf(firstOrder.orderId)[0]).toMatchObject({
      by: { type: 'user', userId: manager.user.id, name: 'Mia Manager' },
      details: { amount: '102.5', currency: 'NGN' },
    });
    expect(entriesOf(firstOrder.orderId)[1]?.by).toEqual({ type: 'gateway', userId: null, name: null });
    // The organizer sees that an administrator requested the refund, but not which one.
    expect(entriesOf(secondOrder.orderId)[0]?.by).toEqual({ type: 'admin', userId: null, name: null });
    const [, platformEntry] = await findPlatformEntries({ orderId: secondOrder.orderId });
    expect(platformEntry?.by).toEqual({ type: 'admin', userId: admin.user.id, name: admin.user.name });
  });

  it('records nothing for a refund that is refused', async () => {
    const trailBefore = await readTrail(sale);
    const stranger = await registerUser();
    const { orderId } = await buyTickets(sale, buyer, 1);
    expect((await requestRefund(orderId, stranger)).status).toBe(404);
    expect((await requestRefund(orderId, buyer)).status).toBe(404);
    expect(await readTrail(sale)).toEqual(trailBefore);
  });

  it('records who cancelled an event, and that the system requested the refunds', async () => {
    const ownSale = await openSale();
    const helper = await registerUser();
    await addStaff(ownSale.organizer, ownSale.event.id, helper, 'manager');
    const { orderId } = await buyTickets(ownSale, buyer, 1);
    const body = { status: 'CANCELLED' };
    expect((await helper.put(`/api/events/${ownSale.event.id}`, body)).status).toBe(200);
    // The refunds of a cancelled event start with the next sweep, which runs once a minute.
    const trail = await eventually('the refund is done', async () => {
      const found = await readTrail(ownSale);
      return actionsOf(found).includes('refund-completed') && found;
    });
    expect(actionsOf(trail)).toEqual([
      'staff-added',
      'event-changed',
      'refund-requested',
      'refund-completed',
    ]);
    expect(trail[1]).toMatchObject({
      by: { type: 'user', userId: helper.user.id },
      details: { status: 'CANCELLED', statusBefore: 'PUBLISHED' },
    });
    expect(trail[2]).toMatchObject({ by: { type: 'system', userId: null }, details: { orderId } });
  });

  it('returns pages, newest entry first', async () => {
    const { token } = sale.organizer;
    const readPage = (query: string) =>
      call('GET', `/api/events/${sale.event.id}/audit?limit=1${query}`, { token });
    const first = (await readPage('')).body;
    const second = (await readPage(`&cursor=${encodeURIComponent(first.nextCursor)}`)).body;
    expect(first.entries).toHaveLength(1);
    expect(second.entries).toHaveLength(1);
    expect(first.entries[0].at >= second.entries[0].at).toBe(true);
    expect(first.entries[0].id).not.toBe(second.entries[0].id);
    // A cursor is valid only for its own list.
    const otherList = await admin.get(`/api/audit?cursor=${encodeURIComponent(first.nextCursor)}`);
    expect(otherList.status).toBe(400);
  });
});

describe('the audit trail of the platform', () => {
  it('records KYC decisions with the previous status, and granted roles', async () => {
    const { id: userId } = buyer.user;
    const path = `/api/users/${userId}/kyc`;
    for (const status of ['PENDING', 'PENDING', 'VERIFIED']) {
      expect((await admin.put(path, { status })).status).toBe(200);
    }
    expect(await findPlatformEntries({ userId })).toMatchObject([
      {
        action: 'kyc-changed',
        by: { type: 'admin', userId: admin.user.id },
        details: { status: 'VERIFIED', before: 'PENDING' },
      },
      { action: 'kyc-changed', details: { status: 'PENDING', before: 'NONE' } },
    ]);
    expect(await findPlatformEntries({ userId: admin.user.id })).toMatchObject([
      {
        action: 'role-granted',
        by: { type: 'operator', userId: null },
        details: { role: 'ADMIN', before: 'USER' },
      },
    ]);
  });

  it('records contracts that are bound and released', async () => {
    const organizerId = sale.organizer.user.id;
    const path = `/api/contracts/137/0x70997970C51812dc3A010C7d01b50e0d17dc79C8`;
    const { token } = admin;
    expect((await call('PUT', path, { token, body: { organizerId } })).status).toBe(200);
    expect((await call('DELETE', `${path}?organizerId=${organizerId}`, { token })).status).toBe(200);
    expect((await call('DELETE', `${path}?organizerId=${organizerId}`, { token })).status).toBe(404);
    const entries = await findPlatformEntries({ organizerId, chainId: '137' });
    expect(actionsOf(entries)).toEqual(['contract-released', 'contract-bound']);
    expect(entries[0]?.by.userId).toBe(admin.user.id);
  });

  it('records accepted payouts without their bank account, and no refused payouts', async () => {
    await buyTickets(sale, buyer, 1);
    await eventually(
      'there is something to pay out',
      async () => (await readBalance(sale.organizer)).available > 0,
    );
    const destination = { accountNumber: '0690000031', bankCode: '044', accountName: 'O. Organizer' };
    const body = { amount: 10, currency: 'NGN', gateway: 'gateway-a', destination };
    const { token, user } = sale.organizer;
    const options = { token, body, headers: { 'idempotency-key': 'once' } };
    const { id: payoutId } = (await call('POST', '/api/payouts', options)).body.payout;
    const repetition = await call('POST', '/api/payouts', options);
    expect(repetition.body.payout.id).toBe(payoutId);
    const entries = await eventually('the payout has arrived', async () => {
      const found = await findPlatformEntries({ payoutId });
      return found.length === 2 && found;
    });
    expect(entries).toMatchObject([
      { action: 'payout-completed', by: { type: 'gateway' } },
      {
        action: 'payout-requested',
        by: { type: 'user', userId: user.id },
        details: { amount: '10', currency: 'NGN', organizerId: user.id },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(destination.accountNumber);
    const refusal = await call('POST', '/api/payouts', { token, body: { ...body, amount: 1_000_000 } });
    expect(refusal.status).toBe(409);
    expect(await findPlatformEntries({ organizerId: user.id, amount: '1000000' })).toEqual([]);
  });
});
