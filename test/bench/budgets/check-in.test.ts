import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../usage/meter.ts';
import { type MeteredService, startMeteredService } from '../usage/metered-service.ts';
import { httpEvent, register } from '../usage/sale-usage.ts';

/** Budgets of a check-in, since people wait at the door for its result. */

let service: MeteredService;
let callsOfScans: Call[][];

beforeAll(async () => {
  service = await startMeteredService();
  const organizer = await register(service, { name: 'Olumide Adeyemi-Okonkwo', role: 'ORGANIZER' });
  const buyer = await register(service, { name: 'Maximiliane Wiegand-Bruss' });
  const invoke = async (name: string, event: object) =>
    JSON.parse((await service.invoke(name, event)).answer.body);
  const { event } = await invoke(
    'events-create-event',
    httpEvent(
      'POST',
      '/api/events',
      {
        title: 'An Evening of Lambdas and Other Small Functions',
        venue: 'The Great Hall of the Old Station',
        startDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
        tiers: [{ name: 'Standing', price: 0, quantity: 100 }],
      },
      organizer,
    ),
  );
  const purchase = { eventId: event.id, tierId: event.tiers[0].id, quantity: 1, paymentMethod: 'FIAT' };
  const orderRequest = httpEvent('POST', '/api/orders/initialize', purchase, buyer);
  const { orderId } = await invoke('orders-initialize-order', orderRequest);
  const getRequest = httpEvent('GET', `/api/orders/${orderId}`, {}, buyer);
  const { order } = await invoke('orders-get-order', { ...getRequest, pathParameters: { id: orderId } });
  const body = { code: order.admissions[0].checkInCode, eventId: event.id };
  const meterScan = async () =>
    (await service.invoke('tickets-check-in', httpEvent('POST', '/api/tickets/check-in', body, organizer)))
      .calls;
  callsOfScans = [await meterScan(), await meterScan()];
});
afterAll(() => service.stop());

const operations = (calls: Call[] = []) => calls.map(({ operation }) => operation);

describe('a check-in', () => {
  it('makes two reads and a transaction when it admits', () => {
    expect(operations(callsOfScans[0])).toEqual(['BatchGetItem', 'BatchGetItem', 'TransactWriteItems']);
    const writeUnits = (callsOfScans[0] ?? []).reduce((sum, call) => sum + call.writeUnits, 0);
    // The seat and its entry in the event's list of check-ins, the order, and the event's admission count.
    expect(writeUnits).toBeLessThanOrEqual(7);
  });

  it('makes two reads when the code is already used', () => {
    expect(operations(callsOfScans[1])).toEqual(['BatchGetItem', 'BatchGetItem']);
  });
});
