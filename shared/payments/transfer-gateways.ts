import type { Currency } from '../core/money.ts';
import type { TransferGateway, TransferGatewayName } from './gateway.ts';
import { transferGatewayA } from './gateway-a/gateway.ts';
import { transferGatewayB } from './gateway-b/gateway.ts';

const gateways: Record<TransferGatewayName, TransferGateway> = {
  'gateway-a': transferGatewayA,
  'gateway-b': transferGatewayB,
};

/** Returns whether a gateway sends a currency to bank accounts. */
export function sendsCurrency(name: TransferGatewayName, currency: Currency): boolean {
  return gateways[name].supports(currency);
}

/** Returns the transfer adapter of a gateway, or undefined when the gateway is not configured. */
export async function findConfiguredTransferGateway(
  name: TransferGatewayName,
): Promise<TransferGateway | undefined> {
  const gateway = gateways[name];
  return (await gateway.isConfigured()) ? gateway : undefined;
}
