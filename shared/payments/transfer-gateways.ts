import type { TransferGateway, TransferGatewayName } from './gateway.ts';
import { transfersA } from './gateway-a/gateway.ts';
import { transfersB } from './gateway-b/gateway.ts';

const gateways: Record<TransferGatewayName, TransferGateway> = {
  'gateway-a': transfersA,
  'gateway-b': transfersB,
};

/** The adapter for transfers of a gateway that is configured; undefined for one that is not. */
export async function configuredTransfers(name: TransferGatewayName): Promise<TransferGateway | undefined> {
  const gateway = gateways[name];
  return (await gateway.isConfigured()) ? gateway : undefined;
}
