import * as z from 'zod';
import { toAuditActor } from '../../accounts/audit/audit.ts';
import { conflict, DomainError, invalid, notFound } from '../../core/errors.ts';
import { type Currency, currencies, toPrice } from '../../core/money.ts';
import { currency, type TransferGatewayName, transferGatewayNames } from '../../core/schemas.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { callThroughBreaker } from '../../payments/breaker.ts';
import { displayNameOf } from '../../payments/payment-methods.ts';
import { isConfigured } from '../../payments/provider.ts';
import {
  type Bank,
  findConfiguredTransferGateway,
  listBanksOf,
  sendsCurrency,
} from '../../payments/transfer-gateways.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { payoutEntry } from '../ledger/ledger.ts';
import { postEntry } from '../ledger/store.ts';
import { AccountChanged, planAccountWait } from './bank-account.ts';
import type { Payout } from './payout.ts';
import { insertPayoutAudit } from './settle-payout.ts';
import { findPayout, insertPayout, PayoutExists } from './store.ts';
import type { BankQuery, PayoutRequest } from './views.ts';

/**
 * Requests a payout: moves the amount from available to pending, and queues the transfer to the bank account. The first
 * payouts to a new account wait: see bank-account.ts.
 * @param id the id of the payout, chosen by the caller, so a repeated call finds the first payout
 * @param checks conditions of the same transaction, such as that the session lasts
 * @throws DomainError 400 for an amount or a currency that can't be sent and for an unknown account, 409 for more than the available balance, 503
 * for a gateway that is not configured; the errors of the checks
 */
export async function requestPayout(
  organizerId: string,
  request: PayoutRequest,
  id: string,
  checks: readonly Write[] = [],
): Promise<Payout> {
  const { gateway, currency } = request;
  const transferGateway = await findConfiguredTransferGateway(gateway);
  if (!transferGateway)
    throw new DomainError('unavailable', 'gateway-not-configured', `${gateway} is not available`);
  if (!transferGateway.supports(currency)) {
    throw invalid(`${gateway} does not send ${currency}`, 'currency-not-supported');
  }
  const amount = toPrice(request.amount, currency, 'amount');
  const destination = await findDestination(organizerId, request);
  const { newAccountUntil, writes, mail } = await planAccountWait({ organizerId, gateway, destination });
  const timestamp = new Date().toISOString();
  const payout: Payout = {
    id,
    organizerId,
    amount,
    currency,
    gateway,
    destination,
    status: 'PENDING',
    attempts: 0,
    transfer: 1,
    ...(newAccountUntil && { newAccountUntil }),
    createdAt: timestamp,
    updatedAt: timestamp,
  };
  const whenSufficient = {
    when: '#available >= :amount',
    values: { amount },
    orThrow: () =>
      conflict('insufficient-balance', `The amount exceeds your available balance in ${currency}`),
  };
  try {
    await transact([
      ...checks,
      insertPayout(payout),
      ...postEntry(payoutEntry(payout, id, 'reserved', amount, timestamp), whenSufficient),
      insertPayoutAudit('payout-requested', payout, toAuditActor({ userId: organizerId })),
      ...writes,
    ]);
  } catch (error) {
    if (error instanceof PayoutExists) return error.current;
    if (error instanceof AccountChanged) return requestPayout(organizerId, request, id, checks);
    throw error;
  }
  if (mail) await queueMails([{ content: mail }]);
  const dueTime = Date.parse(newAccountUntil ?? timestamp);
  await queueWhenDue({ type: 'send-payout', payoutId: id }, dueTime, organizerId);
  return payout;
}

/** Returns the account of a request: the one that it names, or that of an earlier payout. @throws DomainError 400 */
async function findDestination(
  organizerId: string,
  { destination, gateway, sameAccountAs }: PayoutRequest,
): Promise<Payout['destination']> {
  if (destination) return destination;
  const earlier = sameAccountAs === undefined ? undefined : await findPayout(sameAccountAs);
  if (earlier?.organizerId !== organizerId || earlier.gateway !== gateway) {
    throw invalid('sameAccountAs must be one of your payouts at this gateway');
  }
  return earlier.destination;
}

/**
 * Lists the banks to which a gateway sends a currency, sorted by name.
 * @throws DomainError 400 for a currency that the gateway does not send, and when `country` is missing for a currency
 * of several countries; 404 for a gateway or a country without banks; 502 when the provider fails; 503 for a gateway
 * that is not configured or keeps failing
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
  // The list of banks has its own breaker, so its failures do not stop payouts and refunds.
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
