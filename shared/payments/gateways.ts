import type { GatewayName } from '../core/schemas.ts';
import type { Gateway } from './gateway.ts';
import { gatewayA } from './gateway-a.ts';
import { gatewayB } from './gateway-b.ts';
import { gatewayC } from './gateway-c.ts';

const gateways: Record<GatewayName, Gateway> = {
  'gateway-a': gatewayA,
  'gateway-b': gatewayB,
  'gateway-c': gatewayC,
};

/** Finds the adapter of a gateway; undefined when the gateway is not configured. */
export async function findConfiguredGateway(name: GatewayName): Promise<Gateway | undefined> {
  const gateway = gateways[name];
  return (await gateway.isConfigured()) ? gateway : undefined;
}
