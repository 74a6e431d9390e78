import type { MeteredService } from '../usage/metered-service.ts';
import { getBody, httpEvent, paymentWebhook, register } from '../usage/sale-usage.ts';

/** A function that people or gateways wait for, with events to invoke it. */
export interface Workload {
  functionName: string;
  /** Creates events that the function accepts, each of which can be sent once. */
  prepareEvents(count: number): Promise<object[]>;
}

/** Opens a sale without minting, and returns a workload for each function. */
export async function openWorkloads(service: MeteredService): Promise<Workload[]> {
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
    httpEvent('POST', '/api/events', fields, organizer),
  );
  const { event } = getBody(created);

  const orderRequest = (quantity: number) => {
    const order = {
      eventId: event.id,
      tierId: event.tiers[0].id,
      quantity,
      paymentMethod: 'FIAT',
      gateway: 'gateway-a',
    };
    return httpEvent('POST', '/api/orders/initialize', order, buyer);
  };
  /** Initializes an order, and returns the webhook event of its payment. */
  const prepareWebhook = async (quantity: number) =>
    paymentWebhook(service, await service.invoke('orders-initialize-order', orderRequest(quantity)));
  /** Initializes, pays and fulfils an order, and returns its check-in codes. */
  const sellAdmissions = async (quantity: number): Promise<string[]> => {
    await service.invoke('webhooks-gateway-a', await prepareWebhook(quantity));
    await service.invoke('workers-fulfil-orders', await service.receive('fulfil-orders', 1));
    const listed = await service.invoke('orders-list-orders', httpEvent('GET', '/api/orders', {}, buyer));
    const { orders } = getBody(listed);
    const path = { pathParameters: { id: orders[0].id } };
    const found = await service.invoke('orders-get-order', { ...httpEvent('GET', '/', {}, buyer), ...path });
    return getBody(found).order.admissions.map(({ checkInCode }: { checkInCode: string }) => checkInCode);
  };
  const createMany = <Result>(count: number, create: () => Result | Promise<Result>) =>
    Promise.all(Array.from({ length: count }, create));

  return [
    {
      functionName: 'orders-initialize-order',
      prepareEvents: (count) => createMany(count, () => orderRequest(1)),
    },
    {
      functionName: 'webhooks-gateway-a',
      prepareEvents: (count) => createMany(count, () => prepareWebhook(1)),
    },
    {
      functionName: 'events-get-event',
      prepareEvents: (count) =>
        createMany(count, () => ({ ...httpEvent('GET', '/', {}), pathParameters: { id: event.id } })),
    },
    {
      functionName: 'tickets-check-in',
      prepareEvents: async (count) =>
        (await sellAdmissions(count)).map((code) =>
          httpEvent('POST', '/api/tickets/check-in', { code }, organizer),
        ),
    },
  ];
}
