import type { Currency } from '../core/money.ts';
import type { TransferGatewayName } from './gateway.ts';
import { listBanksA } from './gateway-a/banks.ts';
import { listBanksB } from './gateway-b/banks.ts';

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
