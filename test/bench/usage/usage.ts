import type { Call } from './meter.ts';
import type { SaleUsage, Step } from './sale-usage.ts';

/** Sales differ in whether tickets are minted, and whether a batch has one order or ten. */
export type SaleKind = 'unminted' | 'minted' | 'unmintedInBatches' | 'mintedInBatches';

/** The requests of one operation, with units and requests to queues per order. */
export interface Usage {
  operation: string;
  /** In the order in which they are sent: `GetItem`, `UpdateItem`, `SendMessage`, … */
  requests: string[];
  readUnits: number;
  writeUnits: number;
  queueRequests: number;
}

/** Lists the steps of the sales with their requests, and the units per order. */
export function usageOfSales(sales: Record<SaleKind, SaleUsage>, repeatedWebhook: Call[]): Usage[] {
  const { unminted, minted, unmintedInBatches, mintedInBatches } = sales;
  return [
    usageOfStep('orders/initialize', unminted.initialize, 1),
    usageOfStep('first webhook', unminted.webhook, 1),
    usageOfCalls('repeated webhook', repeatedWebhook, 1),
    usageOfStep('fulfil, nothing to mint', unminted.fulfil, 1),
    usageOfStep('fulfil, tickets to mint', minted.fulfil, 1),
    ...usageOfMinting('', minted),
    usageOfStep('send the mail', unminted.mail, 1),
    usageOfStep('fulfil ten at a time, nothing to mint', unmintedInBatches.fulfil, 10),
    usageOfStep('fulfil ten at a time, tickets to mint', mintedInBatches.fulfil, 10),
    ...usageOfMinting(', ten at a time', mintedInBatches),
    usageOfSale('**an order, nothing minted**', unminted),
    usageOfSale('**an order, minted**', minted),
    usageOfSale('**an order, nothing minted, ten at a time**', unmintedInBatches),
    usageOfSale('**an order, minted, ten at a time**', mintedInBatches),
  ];
}

function usageOfSale(
  title: string,
  { initialize, webhook, fulfil, mail, mintingSteps, orders }: SaleUsage,
): Usage {
  const calls = [initialize, webhook, fulfil, mail, ...mintingSteps].flatMap((step) => step.calls);
  return { ...usageOfCalls(title, calls, orders), requests: [] };
}

const mintingTitles = ['mint: sign and send', 'mint: record tickets', 'mint: last check'];

function usageOfMinting(suffix: string, sale: SaleUsage): Usage[] {
  return sale.mintingSteps.map((step, index) =>
    usageOfStep(`${mintingTitles[index]}${suffix}`, step, sale.orders),
  );
}

const usageOfStep = (operation: string, { calls }: Step, orders: number) =>
  usageOfCalls(operation, calls, orders);

function usageOfCalls(operation: string, calls: Call[], orders: number): Usage {
  const perOrder = (count: (call: Call) => number) =>
    calls.reduce((sum, call) => sum + count(call), 0) / orders;
  return {
    operation,
    requests: calls.map((call) => call.operation),
    readUnits: perOrder(({ readUnits }) => readUnits),
    writeUnits: perOrder(({ writeUnits }) => writeUnits),
    queueRequests: perOrder(({ service }) => (service === 'queue' ? 1 : 0)),
  };
}
