import { providers } from '../../support/providers.ts';
import type { MeteredService } from '../usage/metered-service.ts';
import { answerOf, register, request } from '../usage/sale-usage.ts';

/** A function that people or gateways wait for, and successful calls of it, each prepared in advance. */
export interface Calls {
  functionName: string;
  prepare(count: number): Promise<object[]>;
}

const gateways = ['gateway-a', 'gateway-b', 'gateway-c'] as const;
type Gateway = (typeof gateways)[number];

/** Prepares events of one sale, whose tickets are not minted. */
export async function openCalls(service: MeteredService): Promise<Calls[]> {
  const organizer = await register(service, { name: 'Olumide Adeyemi-Okonkwo', role: 'ORGANIZER' });
  const buyer = await register(service, { name: 'Maximiliane Wiegand-Bruss' });
  const fields = {
    title: 'An Evening of Lambdas and Other Small Functions',
    venue: 'The Great Hall of the Old Station',
    startDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    tiers: [{ name: 'Standing', price: 50, quantity: 100_000, maxPerPerson: 100_000 }],
  };
  const created = await service.invoke(
    'events-create-event',
    request('POST', '/api/events', fields, organizer),
  );
  const { event } = answerOf(created);

  const initialization = (gateway: Gateway, quantity: number) => {
    const order = { eventId: event.id, tierId: event.tiers[0].id, quantity, paymentMethod: 'FIAT', gateway };
    return request('POST', '/api/orders/initialize', order, buyer);
  };
  const delivery = async (gateway: Gateway, quantity: number) => {
    const initialized = await service.invoke('orders-initialize-order', initialization(gateway, quantity));
    const { reference, totalAmount } = answerOf(initialized);
    const event = request(
      'POST',
      `/api/webhooks/${gateway}`,
      providers[gateway].paid(reference, totalAmount, 'USD'),
    );
    return { ...event, headers: { ...event.headers, ...providers[gateway].sign(event.body) } };
  };
  /** Check-in codes of one paid order. */
  const codes = async (quantity: number): Promise<string[]> => {
    await service.invoke('webhooks-gateway-a', await delivery('gateway-a', quantity));
    await service.invoke('workers-fulfil-orders', await service.receive('fulfil', 1));
    const listed = await service.invoke('orders-list-orders', request('GET', '/api/orders', {}, buyer));
    const { orders } = answerOf(listed);
    const path = { pathParameters: { id: orders[0].id } };
    const found = await service.invoke('orders-get-order', { ...request('GET', '/', {}, buyer), ...path });
    return answerOf(found).order.admissions.map(({ checkInCode }: { checkInCode: string }) => checkInCode);
  };
  const repeat = <Result>(count: number, make: () => Result | Promise<Result>) =>
    Promise.all(Array.from({ length: count }, make));

  return [
    {
      functionName: 'orders-initialize-order',
      prepare: (count) => repeat(count, () => initialization('gateway-a', 1)),
    },
    ...gateways.map((gateway) => ({
      functionName: `webhooks-${gateway}`,
      prepare: (count: number) => repeat(count, () => delivery(gateway, 1)),
    })),
    {
      functionName: 'events-get-event',
      prepare: (count) =>
        repeat(count, () => ({ ...request('GET', '/', {}), pathParameters: { id: event.id } })),
    },
    {
      functionName: 'tickets-check-in',
      prepare: async (count) =>
        (await codes(count)).map((code) => request('POST', '/api/tickets/check-in', { code }, organizer)),
    },
  ];
}
