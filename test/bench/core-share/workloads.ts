import type { MeteredService } from '../usage/metered-service.ts';
import {
  createSale,
  httpEvent,
  initializeOrder,
  orderRequest,
  paymentWebhook,
  readCheckInCodes,
  registerBuyer,
} from '../usage/sale-usage.ts';

/** A function that people or gateways wait for, with events to invoke it. */
export interface Workload {
  functionName: string;
  /** Creates events that the function accepts, each of which can be sent once. */
  prepareEvents(count: number): Promise<object[]>;
}

/** Opens a sale without minting, and returns a workload for each function. */
export async function openWorkloads(service: MeteredService): Promise<Workload[]> {
  const sale = await createSale(service, { tickets: 100_000 });
  const buyer = await registerBuyer(service, false);
  const prepareWebhook = async (quantity: number) =>
    paymentWebhook(service, await initializeOrder(service, sale, buyer, { quantity }));
  const createMany = <Result>(count: number, create: () => Result | Promise<Result>) =>
    Promise.all(Array.from({ length: count }, create));
  return [
    {
      functionName: 'orders-initialize-order',
      prepareEvents: (count) => createMany(count, () => orderRequest(sale, buyer, { quantity: 1 })),
    },
    {
      functionName: 'webhooks-gateway-a',
      prepareEvents: (count) => createMany(count, () => prepareWebhook(1)),
    },
    {
      functionName: 'events-get-event',
      prepareEvents: (count) =>
        createMany(count, () => ({ ...httpEvent('GET', '/', {}), pathParameters: { id: sale.event.id } })),
    },
    {
      functionName: 'tickets-check-in',
      prepareEvents: async (count) => {
        await service.invoke('webhooks-gateway-a', await prepareWebhook(count));
        const codes = await readCheckInCodes(service, buyer);
        return codes.map((code) => httpEvent('POST', '/api/tickets/check-in', { code }, sale.organizerToken));
      },
    },
  ];
}
