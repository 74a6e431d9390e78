import type { TransferGateway, TransferGatewayName } from './gateway.ts';
import { transfersA } from './gateway-a/gateway.ts';
import { transfersB } from './gateway-b/gateway.ts';

const gateways: Record<TransferGatewayName, TransferGateway> = {
  'gateway-a': transfersA,
  'gateway-b': transfersB,
};

/** Returns the transfer adapter of a gateway, or undefined when the gateway is not configured. */
export async function configuredTransfers(name: TransferGatewayName): Promise<TransferGateway | undefined> {
  const gateway = gateways[name];
  return (await gateway.isConfigured()) ? gateway : undefined;
}
