import { costPerMillion, type OrderCost } from '../cost/order-cost.ts';
import { startMeteredService } from './metered-service.ts';
import { meterRepeatedWebhook, meterSale } from './sale-usage.ts';
import { type SaleKind, type Usage, usageOfSales } from './usage.ts';

/**
 * Counts the requests and DynamoDB capacity units of orders of two tickets, and computes their cost. The results are
 * the same on every machine.
 */
export async function measureUsage(): Promise<{ usage: Usage[]; costs: Record<SaleKind, OrderCost> }> {
  const service = await startMeteredService();
  try {
    const unminted = await meterSale(service, { isMinted: false, orders: 1 });
    const minted = await meterSale(service, { isMinted: true, orders: 1 });
    const repeatedWebhook = await meterRepeatedWebhook(service);
    const unmintedInBatches = await meterSale(service, { isMinted: false, orders: 10 });
    const mintedInBatches = await meterSale(service, { isMinted: true, orders: 10 });
    return {
      usage: usageOfSales({ unminted, minted, unmintedInBatches, mintedInBatches }, repeatedWebhook),
      costs: {
        unminted: costPerMillion(unminted),
        minted: costPerMillion(minted),
        unmintedInBatches: costPerMillion(unmintedInBatches),
        mintedInBatches: costPerMillion(mintedInBatches),
      },
    };
  } finally {
    await service.stop();
  }
}
