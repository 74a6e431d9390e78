import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import { createEvent } from '../../shared/events/editing/create-event.ts';
import { deleteEvent } from '../../shared/events/editing/delete-event.ts';
import { eventCreation } from '../../shared/events/editing/event-input.ts';
import { getEvent } from '../../shared/events/store.ts';
import { releaseOrderTickets, reserveOrderTickets } from '../../shared/orders/checkout/reserve-tickets.ts';
import { insertOrder } from '../../shared/orders/store.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { insertPaidOrders } from '../support/paid-orders.ts';

let backend: Backend;
let table: FaultProxy;
beforeAll(async () => {
  backend = await startBackend();
  table = await startProxy({ table: backend.dynamodbUrl });
  process.env.AWS_ENDPOINT_URL_DYNAMODB = table.url('api', 'table');
});
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
  const shard = await reserveOrderTickets(event, order, (shard) => [insertOrder({ ...order, shard })]);
  await releaseOrderTickets({ ...order, shard });

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
