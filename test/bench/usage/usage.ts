import { costPerMillion, type OrderCost } from '../cost.ts';
import type { Call } from './meter.ts';
import { startMeteredService } from './metered-service.ts';
import { meterRepeatedWebhook, meterSale, type SaleUsage } from './sale-usage.ts';

/** The requests of one operation, with units and requests to queues per order. */
export interface Usage {
  operation: string;
  /** `2 × GetItem, UpdateItem, SendMessage`. */
  requests: string;
  readUnits: number;
  writeUnits: number;
  queueRequests: number;
}

export type SaleCost = OrderCost & { sale: string };

/**
 * Counts the requests and DynamoDB capacity units of orders of two tickets, and computes the cost of a million. The
 * results are the same on every machine.
 */
export async function measureUsage(): Promise<{ usage: Usage[]; costs: SaleCost[] }> {
  const service = await startMeteredService();
  try {
    const sales: [string, SaleUsage][] = [
      ['nothing minted', await meterSale(service, { isMinted: false, orders: 1 })],
      ['minted', await meterSale(service, { isMinted: true, orders: 1 })],
      ['ten at a time, nothing minted', await meterSale(service, { isMinted: false, orders: 10 })],
      ['ten at a time, minted', await meterSale(service, { isMinted: true, orders: 10 })],
    ];
    return {
      usage: [
        ...sales.flatMap(([title, sale]) => usageOfSale(title, sale)),
        usageOf('repeated webhook', await meterRepeatedWebhook(service), 1),
      ],
      costs: sales.map(([sale, usage]) => ({ sale, ...costPerMillion(usage) })),
    };
  } finally {
    await service.stop();
  }
}

function usageOfSale(title: string, sale: SaleUsage): Usage[] {
  const { initialize, webhook, fulfil, mail, mintingSteps, orders } = sale;
  const steps = [initialize, webhook, fulfil, mail, ...mintingSteps];
  const all = steps.flatMap(({ calls }) => calls);
  return [
    ...steps.map(({ functionName, calls }) => usageOf(`${title}: ${functionName}`, calls, orders)),
    { ...usageOf(`${title}: an order`, all, orders), requests: '' },
  ];
}

function usageOf(operation: string, calls: Call[], orders: number): Usage {
  const perOrder = (count: (call: Call) => number) =>
    calls.reduce((sum, call) => sum + count(call), 0) / orders;
  return {
    operation,
    requests: Array.from(
      Map.groupBy(calls, (call) => call.operation),
      ([name, { length }]) => (length > 1 ? `${length} × ${name}` : name),
    ).join(', '),
    readUnits: perOrder(({ readUnits }) => readUnits),
    writeUnits: perOrder(({ writeUnits }) => writeUnits),
    queueRequests: perOrder(({ service }) => (service === 'queue' ? 1 : 0)),
  };
}
