import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../usage/meter.ts';
import { type MeteredService, startMeteredService } from '../usage/metered-service.ts';
import { register, request } from '../usage/sale-usage.ts';

/** Budgets of a scan at the door: people wait for it. */

let service: MeteredService;
let scans: Call[][];

beforeAll(async () => {
  service = await startMeteredService();
  const organizer = await register(service, { name: 'Olumide Adeyemi-Okonkwo', role: 'ORGANIZER' });
  const buyer = await register(service, { name: 'Maximiliane Wiegand-Bruss' });
  const invoke = async (name: string, event: object) =>
    JSON.parse((await service.invoke(name, event)).answer.body);
  const { event } = await invoke(
    'events-create-event',
    request(
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
  const bought = request('POST', '/api/orders/initialize', purchase, buyer);
  const { orderId } = await invoke('orders-initialize-order', bought);
  const read = request('GET', `/api/orders/${orderId}`, {}, buyer);
  const { order } = await invoke('orders-get-order', { ...read, pathParameters: { id: orderId } });
  const body = { code: order.admissions[0].checkInCode, eventId: event.id };
  const scan = () =>
    service.invoke('tickets-check-in', request('POST', '/api/tickets/check-in', body, organizer));
  scans = [(await scan()).calls, (await scan()).calls];
});
afterAll(() => service.stop());

const operations = (calls: Call[] = []) => calls.map(({ operation }) => operation);

describe('a scan', () => {
  it('that admits takes two reads and a transaction', () => {
    expect(operations(scans[0])).toEqual(['BatchGetItem', 'BatchGetItem', 'TransactWriteItems']);
    const writeUnits = (scans[0] ?? []).reduce((sum, call) => sum + call.writeUnits, 0);
    // The seat with its entry in the event's list, the order, and the event's count.
    expect(writeUnits).toBeLessThanOrEqual(7);
  });

  it('of a code that was used takes two reads', () => {
    expect(operations(scans[1])).toEqual(['BatchGetItem', 'BatchGetItem']);
  });
});
