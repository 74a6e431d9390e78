import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { settlingMilliseconds } from '../../shared/catalog/event-jobs/event-job.ts';
import { findEventJob } from '../../shared/catalog/event-jobs/store.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { deleteEvent } from '../../shared/catalog/events/editing/delete-event.ts';
import { eventCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { getEvent } from '../../shared/catalog/events/store.ts';
import { codeCreation } from '../../shared/catalog/promo-codes/code-input.ts';
import { newCode } from '../../shared/catalog/promo-codes/revise-code.ts';
import { insertCode, queryCodes } from '../../shared/catalog/promo-codes/store.ts';
import { listMembers, putMember } from '../../shared/catalog/staff/store.ts';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { sweep } from '../../shared/jobs/sweep/sweep-due.ts';
import { releaseOrderTickets, reserveOrderTickets } from '../../shared/orders/checkout/reserve-tickets.ts';
import { insertOrder } from '../../shared/orders/store.ts';
import { type Backend, runWorkers, startBackend } from '../support/backend.ts';
import { type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { insertPaidOrders } from '../support/shop.ts';

let backend: Backend;
let table: FaultProxy;
beforeAll(async () => {
  backend = await startBackend();
  table = await startProxy({ table: backend.dynamodbUrl });
  process.env.AWS_ENDPOINT_URL_DYNAMODB = table.url('api', 'table');
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await table.stop();
  await backend.stop();
});

async function newEvent(organizerId: string) {
  const creation = { title: 'Jazz', venue: 'Club', startDate: '2099-01-01', maxCapacity: 2_500 };
  const { id } = await createEvent(eventCreation.parse(creation), organizerId);
  return getEvent(id);
}

it('refuses to delete an event whose only order has failed and is not in the index yet', async () => {
  const organizerId = newId();
  const event = await newEvent(organizerId);
  const { orders } = await insertPaidOrders(1);
  const tierId = event.tiers[0]?.id as string;
  const order = { ...orders[0], id: newId(), eventId: event.id, tierId } as (typeof orders)[number];
  await reserveOrderTickets({ event, order, writes: [insertOrder(order)] });
  await releaseOrderTickets(order, []);

  // Queries do not return the order.
  const removeFault = table.intercept(async ({ method }, forward) =>
    method === 'Query' ? { status: 200, body: { Items: [], Count: 0 } } : forward(),
  );
  await expect(deleteEvent(event.id, organizerId)).rejects.toMatchObject({ code: 'has-orders' });
  removeFault();
  expect((await getEvent(event.id)).id).toBe(event.id);
});

it('deletes an event that never had an order', async () => {
  const organizerId = newId();
  const event = await newEvent(organizerId);
  await deleteEvent(event.id, organizerId);
  await expect(getEvent(event.id)).rejects.toMatchObject({ code: 'event-not-found' });
});

it('removes the staff and the codes of a deleted event after a crash, and those that are added concurrently', async () => {
  const organizerId = newId();
  const event = await newEvent(organizerId);
  const { id: eventId } = event;
  const creation = codeCreation.parse({ code: 'EARLY', kind: 'percent', value: 10 });
  const addStaffAndCode = async () => {
    const member = { eventId, email: 'dora@example.com', role: 'door' as const, addedAt: event.createdAt };
    await write(putMember(member, undefined));
    await write(insertCode(newCode(event, creation, new Date().toISOString()), () => new Error()));
  };
  const countLeft = async () => {
    const [{ staff }, { codes }] = await Promise.all([
      listMembers(eventId, { limit: 10 }),
      queryCodes(eventId, { limit: 10 }),
    ]);
    return staff.length + codes.length;
  };

  const runDueWork = async () => {
    await sweep(Date.now() + 45_000);
    await runWorkers(backend, ['run-event-jobs']);
  };

  await addStaffAndCode();
  const removeFault = table.intercept(async ({ method }, forward) =>
    method === 'DeleteItem' ? { status: 400, body: { __type: 'ValidationException' } } : forward(),
  );
  await expect(deleteEvent(eventId, organizerId)).rejects.toThrow();
  removeFault();
  expect(await countLeft()).toBe(2);
  await runDueWork();
  expect(await countLeft()).toBe(0);

  // Requests that have read the event before it was deleted.
  await addStaffAndCode();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + settlingMilliseconds });
  await runDueWork();
  expect(await countLeft()).toBe(0);
  expect(await findEventJob(eventId, 'delete')).toBeUndefined();
});
