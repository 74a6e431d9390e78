import * as z from 'zod';
import { DomainError, invalid, notFound } from '../../core/errors.ts';
import { type Currency, currencies } from '../../core/money.ts';
import { currency } from '../../core/schemas.ts';
import { callThroughBreaker } from '../../payments/breaker.ts';
import { type TransferGatewayName, transferGatewayNames } from '../../payments/gateway.ts';
import {
  type Bank,
  findConfiguredTransferGateway,
  listBanksOf,
  sendsCurrency,
} from '../../payments/gateways.ts';
import { displayNameOf, isConfigured } from '../../payments/payment-methods.ts';
import type { BankQuery } from './views.ts';

/**
 * Lists the banks to which a gateway sends a currency, sorted by name.
 * @throws DomainError 400 for a currency that the gateway does not send, and when `country` is missing for a currency of
 * several countries; 404 for a gateway or a country without banks; 502 when the provider fails; 503 for a gateway that
 * is not configured or keeps failing
 */
export async function listBanks({ gateway, currency, country }: BankQuery): Promise<Bank[]> {
  const transferGatewayName = transferGatewayNames.find((candidate) => candidate === gateway);
  if (!transferGatewayName) throw notFound('Banks');
  const transferGateway = await findConfiguredTransferGateway(transferGatewayName);
  if (!transferGateway)
    throw new DomainError('unavailable', 'gateway-not-configured', `${gateway} is not available`);
  if (!transferGateway.supports(currency)) {
    throw invalid(`${gateway} does not send ${currency}`, 'currency-not-supported');
  }
  const countryCode = country ?? countryOf(currency);
  if (!countryCode) throw invalid(`country is required for ${currency}, which several countries use`);
  const banks = await readBanks(transferGatewayName, currency, countryCode);
  if (banks.length === 0) throw notFound('Banks');
  return banks;
}

const cacheMilliseconds = 60 * 60_000;
const bankLists = new Map<string, { banks: Bank[]; readAt: number }>();

/**
 * Caches each list in memory: the lists of all organizers share the provider's rate limit with the payouts. An
 * empty list is not cached: gateway-b refuses a country without banks, and may refuse a request for another reason.
 */
async function readBanks(gateway: TransferGatewayName, currency: Currency, country: string): Promise<Bank[]> {
  const key = `${gateway} ${currency} ${country}`;
  const cachedList = bankLists.get(key);
  if (cachedList && Date.now() - cachedList.readAt < cacheMilliseconds) return cachedList.banks;
  // The list of banks has its own breaker, so that its failures do not stop payouts and refunds.
  const banks = await callThroughBreaker(`${gateway}-banks`, () => listBanksOf[gateway](currency, country));
  banks.sort((a, b) => a.name.localeCompare(b.name));
  if (banks.length > 0) bankLists.set(key, { banks, readAt: Date.now() });
  return banks;
}

/**
 * Returns the country of a national currency: the first two letters of its ISO 4217 code. Returns undefined for a
 * currency of several countries.
 */
function countryOf(currency: Currency): string | undefined {
  return currency.startsWith('X') || currency === 'EUR' ? undefined : currency.slice(0, 2);
}

export const payoutGatewayView = z
  .object({
    gateway: z.enum(transferGatewayNames),
    name: z.string().meta({ description: 'The name to show to organizers', examples: ['Bank transfer'] }),
    currencies: z.array(currency).meta({ description: 'What it pays out', examples: [['NGN', 'GHS']] }),
  })
  .meta({ id: 'PayoutGateway', description: 'A gateway that `POST /api/payouts` accepts' });

/** Lists the stage's gateways that send payouts. Reads settings only, no secrets. */
export function listPayoutGateways(): z.infer<typeof payoutGatewayView>[] {
  return transferGatewayNames.filter(isConfigured).map((gateway) => ({
    gateway,
    name: displayNameOf(gateway),
    currencies: currencies.filter((currency) => sendsCurrency(gateway, currency)),
  }));
}
