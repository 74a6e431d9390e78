import { DomainError } from '../core/errors.ts';
import { type Currency, currencies, exponentOf, toDecimal, toMinor } from '../core/money.ts';
import { type GatewayName, gatewayNames } from '../core/schemas.ts';
import { optionalSetting } from '../runtime/config.ts';
import { fetchWithRetry } from '../runtime/retry.ts';
import type { SettingName } from '../runtime/settings.ts';
import { log } from '../runtime/telemetry.ts';
import type { MoneyReturn, PaymentSignal, Refund, RequestedRefund } from './gateway.ts';

interface Call {
  method: 'GET' | 'POST';
  url: string;
  /** The secret that authenticates this service; never logged. */
  bearer: string;
  body?: object;
  /** Default 8,000. */
  timeoutMilliseconds?: number;
}

export interface ProviderResponse {
  status: number;
  /** Whether the status is 2xx. */
  ok: boolean;
  /** The JSON body. */
  // biome-ignore lint/suspicious/noExplicitAny: each adapter checks the fields that it reads
  body: any;
}

/** The default timeout of a provider call. */
export const providerTimeoutMilliseconds = 8_000;
/** The timeout of starting a payment, while a buyer waits and an execution of the function is occupied. */
export const startTimeoutMilliseconds = 3_000;

/**
 * Calls a payment provider's JSON API.
 * @returns the response, also for an error status, except those below
 * @throws DomainError `provider-failed` for the statuses 401, 408, 429 and from 500 up, a failed connection, a timeout, or a body
 * that is not a JSON object; ProviderRefused for the status 403, and for such a body of another 4xx status: a firewall of the provider
 * dislikes the content of the request. Neither says anything about a payment
 */
export async function callProvider(call: Call): Promise<ProviderResponse> {
  const { status, ok, body } = await sendCall(call).catch((error: unknown) => {
    throw providerFailed(error instanceof Error ? error.name : 'unknown');
  });
  if (status >= 500 || [401, 408, 429].includes(status)) throw providerFailed(`answered ${status}`);
  if (status === 403) throw providerRefused(`answered ${status}`);
  if (typeof body === 'object' && body !== null) return { status, ok, body };
  throw status < 400 ? providerFailed('not a JSON object') : providerRefused(`answered ${status}`);
}

/** A request for a page of a provider's list. */
interface PageRequest<Item> {
  /** From 1. */
  number: number;
  /** The last item of the previous page. */
  previousItem: Item | undefined;
  timeoutMilliseconds: number;
}

/** Reads all pages of a provider's list, within the timeout of one call. @throws the errors of `readPage` */
export async function readAllPages<Item>(
  readPage: (request: PageRequest<Item>) => Promise<{ items: Item[]; hasMore: boolean }>,
): Promise<Item[]> {
  const deadline = Date.now() + providerTimeoutMilliseconds;
  const allItems: Item[] = [];
  for (let number = 1; ; number++) {
    const timeoutMilliseconds = Math.max(deadline - Date.now(), 1);
    const { items, hasMore } = await readPage({ number, previousItem: allItems.at(-1), timeoutMilliseconds });
    allItems.push(...items);
    if (!hasMore) return allItems;
  }
}

/**
 * Logs a failure of the provider, and returns the error for callers.
 * @param reason only logged, not part of the error
 */
export function providerFailed(reason: string): DomainError {
  log.warn('Payment provider failed', { reason });
  return new DomainError('provider-failed', 'provider-failed', 'The payment provider is not available');
}

/** The provider refused this request. It is available, so circuit breakers ignore this error. */
export class ProviderRefused extends DomainError {}

/** Like `providerFailed`, for a request that the provider refused. @param reason as in `providerFailed` */
export function providerRefused(reason: string): ProviderRefused {
  const { kind, code, message } = providerFailed(reason);
  return new ProviderRefused(kind, code, message);
}

async function sendCall({ method, url, bearer, body, timeoutMilliseconds }: Call): Promise<ProviderResponse> {
  const response = await fetchWithRetry(url, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMilliseconds ?? providerTimeoutMilliseconds),
  });
  const text = await response.text();
  return { status: response.status, ok: response.ok, body: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Requests a refund unless an earlier attempt did. Where the provider does not report keys, an earlier attempt is the
 * refund of this amount that belongs to no finished refund.
 * @param returns all returns of the payment, also those of other requests
 * @param request requests the refund of an amount, which is smaller than the refund's when less is left of the payment
 */
export async function refundOnce(
  { amount, paidAmount, idempotencyKey, finishedRefunds, mayRequest }: Refund,
  returns: readonly MoneyReturn[],
  request: (amount: bigint) => Promise<RequestedRefund>,
): Promise<RequestedRefund> {
  const left = paidAmount - sumReturns(returns);
  const earlierAttempt = returns.find((earlier) =>
    earlier.idempotencyKey === undefined
      ? earlier.amount === amount && !finishedRefunds.includes(earlier.id)
      : earlier.idempotencyKey === idempotencyKey,
  );
  if (earlierAttempt) return { id: earlierAttempt.id, state: earlierAttempt.state };
  if (!mayRequest) throw providerRefused('refund: accepted, but failed each time');
  if (left > 0n) return request(amount < left ? amount : left);
  return { state: returns.every(({ state }) => state === 'done') ? 'done' : 'pending' };
}

/** Sums what has gone back to the buyer. */
export function sumExecuted(returns: readonly MoneyReturn[]): bigint {
  return sumReturns(returns.filter(({ state }) => state === 'done'));
}

function sumReturns(returns: readonly MoneyReturn[]): bigint {
  return returns.reduce((sum, { amount }) => sum + amount, 0n);
}

type PaidAmount = Pick<PaymentSignal, 'amount' | 'currency' | 'amountWithoutCurrency'>;

/** The unit of a provider's amounts: major units, or the provider's own subunits, which can differ from minor units. */
export type AmountUnit = 'subunit' | 'major';

/**
 * Converts the amount and currency that a provider reports. Absent values stay absent. Invalid values become an amount
 * of 0, so an operator reviews the order.
 */
export function readPaidAmount(
  gateway: GatewayName,
  unit: AmountUnit,
  amount: unknown,
  currency: unknown,
): PaidAmount {
  const currencyName =
    currency === undefined || currency === null ? undefined : toShortText(currency).toUpperCase();
  if (amount === undefined || amount === null) return { currency: currencyName };
  if (currencyName === undefined) return { amountWithoutCurrency: { unit, amount } };
  const knownCurrency = currencies.find((candidate) => candidate === currencyName);
  if (!knownCurrency || !supportsAmount(gateway, knownCurrency))
    return { currency: currencyName, amount: 0n };
  const minorAmount =
    unit === 'subunit'
      ? parseSubunits(gateway, amount, knownCurrency)
      : toMinor(roundDown(amount, knownCurrency), knownCurrency);
  return { currency: currencyName, amount: minorAmount ?? 0n };
}

/** Completes a signal: a reported amount without a currency is in the currency of the order. */
export function withOrderCurrency(
  { gateway, currency }: { gateway?: GatewayName; currency: Currency },
  { amountWithoutCurrency, ...signal }: PaymentSignal,
): PaymentSignal {
  return gateway && amountWithoutCurrency
    ? {
        ...signal,
        ...readPaidAmount(gateway, amountWithoutCurrency.unit, amountWithoutCurrency.amount, currency),
      }
    : signal;
}

function parseSubunits(gateway: GatewayName, amount: unknown, currency: Currency): bigint | undefined {
  const text = toShortText(amount);
  return /^\d{1,30}$/.test(text) ? fromSubunits(gateway, BigInt(text), currency) : undefined;
}

/** Truncates an amount to minor units: an overpayment of less than one minor unit needs no review. */
function roundDown(amount: unknown, currency: Currency): string {
  const [, whole = '', fraction = ''] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(toShortText(amount)) ?? [];
  for (let length = fraction.length; length > 0; length--) {
    const text = `${whole}.${fraction.slice(0, length)}`;
    if (toMinor(text, currency) !== undefined) return text;
  }
  return whole;
}

/**
 * The currencies that each provider accepts, with the number of decimals in its protocol, which is mostly that of ISO
 * 4217. Any other currency is refused before a payment starts.
 */
const providerDecimals: Record<GatewayName, Partial<Record<Currency, number>>> = {
  // The provider's subunits are hundredths in every currency, even one without decimals: 500 XOF is sent as 50000.
  'gateway-a': { NGN: 2, GHS: 2, ZAR: 2, KES: 2, USD: 2, XOF: 2 },
  // The provider accepts major units, with the decimals that it displays.
  'gateway-b': {
    NGN: 2,
    GHS: 2,
    KES: 2,
    ZAR: 2,
    USD: 2,
    EUR: 2,
    GBP: 2,
    UGX: 0,
    TZS: 2,
    RWF: 0,
    XOF: 0,
    XAF: 0,
    EGP: 2,
  },
  // The provider's subunits of UGX are hundredths, although UGX has no decimals.
  'gateway-c': {
    USD: 2,
    EUR: 2,
    GBP: 2,
    CAD: 2,
    AUD: 2,
    CHF: 2,
    NGN: 2,
    GHS: 2,
    KES: 2,
    ZAR: 2,
    EGP: 2,
    TZS: 2,
    INR: 2,
    BRL: 2,
    JPY: 0,
    RWF: 0,
    XOF: 0,
    XAF: 0,
    UGX: 2,
    KWD: 3,
  },
};

/** Returns whether the provider accepts this currency and amount (minor units). */
export function supportsAmount(gateway: GatewayName, currency: Currency, amount = 0n): boolean {
  const step = findStep(gateway, currency);
  return step !== undefined && amount % step === 0n;
}

/** Returns the step, in minor units, in which the provider accepts a currency; undefined for one that it does not accept. */
export function findStep(gateway: GatewayName, currency: Currency): bigint | undefined {
  if (providerDecimals[gateway][currency] === undefined) return undefined;
  // gateway-c accepts currencies with three decimals only in steps of 0.01.
  return gateway === 'gateway-c' && exponentOf(currency) === 3 ? 10n : 1n;
}

/** The settings with the addresses of the gateways. */
export const addressSettings = {
  'gateway-a': 'GATEWAY_A_URL',
  'gateway-b': 'GATEWAY_B_URL',
  'gateway-c': 'GATEWAY_C_URL',
} as const satisfies Record<GatewayName, SettingName>;

/** Returns whether the stage has the address of a gateway. */
export function isConfigured(gateway: GatewayName): boolean {
  return Boolean(optionalSetting(addressSettings[gateway]));
}

/**
 * Returns the total that a buyer can pay: the exact one, or the next higher one that a gateway accepts where none accepts
 * the exact one.
 */
export function toPayableTotal(currency: Currency, total: bigint): bigint {
  const steps = gatewayNames.filter(isConfigured).flatMap((gateway) => findStep(gateway, currency) ?? []);
  const totals = steps.map((step) => ((total + step - 1n) / step) * step);
  return totals.reduce((lowest, payable) => (payable < lowest ? payable : lowest), totals[0] ?? total);
}

/** Converts minor units to the provider's subunits. */
export function toSubunits(gateway: GatewayName, amount: bigint, currency: Currency): bigint {
  return amount * 10n ** BigInt((providerDecimals[gateway][currency] ?? 0) - exponentOf(currency));
}

/** Converts the provider's subunits to minor units, rounded down. */
export function fromSubunits(gateway: GatewayName, amount: bigint, currency: Currency): bigint {
  return amount / 10n ** BigInt((providerDecimals[gateway][currency] ?? 0) - exponentOf(currency));
}

/** Converts minor units to a decimal number of major units. */
export function toMajor(amount: bigint, currency: Currency): number {
  return Number(toDecimal(amount, currency));
}

/** Parses a webhook's body; returns an empty object for anything but a JSON object or array. */
// biome-ignore lint/suspicious/noExplicitAny: each adapter checks the fields that it reads
export function parseWebhook(body: Buffer): Record<string, any> {
  try {
    const parsedBody = JSON.parse(body.toString('utf8'));
    return typeof parsedBody === 'object' && parsedBody !== null ? parsedBody : {};
  } catch {
    return {};
  }
}

/**
 * Converts a provider's id, amount or currency to text; returns an empty string for any other value, and for more than
 * 255 characters. A signed webhook may still contain any JSON.
 */
export function toShortText(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.length <= 255 && text.isWellFormed() ? text : '';
}
