import type { TransferGateway, TransferGatewayName } from './gateway.ts';
import { transferGatewayA } from './gateway-a/gateway.ts';
import { transferGatewayB } from './gateway-b/gateway.ts';

const gateways: Record<TransferGatewayName, TransferGateway> = {
  'gateway-a': transferGatewayA,
  'gateway-b': transferGatewayB,
};

/** Returns the transfer adapter of a gateway, or undefined when the gateway is not configured. */
export async function findConfiguredTransferGateway(
  name: TransferGatewayName,
): Promise<TransferGateway | undefined> {
  const gateway = gateways[name];
  return (await gateway.isConfigured()) ? gateway : undefined;
}
