import type { Currency } from '../core/money.ts';
import type { TransferGatewayName } from '../core/schemas.ts';
import type { TransferGateway } from './gateway.ts';
import { listBanksA, transferGatewayA } from './gateway-a.ts';
import { listBanksB, transferGatewayB } from './gateway-b.ts';

const transferGateways: Record<TransferGatewayName, TransferGateway> = {
  'gateway-a': transferGatewayA,
  'gateway-b': transferGatewayB,
};

/** Finds the adapter that sends a gateway's transfers; undefined when the gateway is not configured. */
export async function findConfiguredTransferGateway(
  name: TransferGatewayName,
): Promise<TransferGateway | undefined> {
  const gateway = transferGateways[name];
  return (await gateway.isConfigured()) ? gateway : undefined;
}

/** Returns whether a gateway sends a currency to bank accounts. */
export function sendsCurrency(name: TransferGatewayName, currency: Currency): boolean {
  return transferGateways[name].supports(currency);
}

/** A bank to which a provider sends money. */
export interface Bank {
  name: string;
  /** The bank's code in the destination of a transfer. */
  code: string;
}

/**
 * Lists the banks to which a provider sends a currency; empty for a country that it does not serve. gateway-b refuses
 * such a country, so its list is also empty when it refuses the request for another reason.
 * @param country ISO 3166-1 alpha-2
 * @throws DomainError `provider-failed` when the provider fails or takes longer than 8 s, and when gateway-a refuses
 */
type ListBanks = (currency: Currency, country: string) => Promise<Bank[]>;

export const listBanksOf: Record<TransferGatewayName, ListBanks> = {
  'gateway-a': listBanksA,
  'gateway-b': listBanksB,
};
