import type { Currency } from '../../core/money.ts';
import { optionalSetting, requiredSetting } from '../../runtime/config.ts';
import { readSecret, requiredSecret } from '../../runtime/secrets.ts';
import {
  type Gateway,
  type PaymentSignal,
  type Refund,
  type RefundState,
  type TransferGateway,
  type TransferSignal,
  toShortText,
} from '../gateway.ts';
import {
  callProvider,
  type ProviderResponse,
  providerFailed,
  providerRefused,
  readAllPages,
  readPaidAmount,
  supportsAmount,
  toMajor,
} from '../provider.ts';

/** Payments by gateway-b. */
export const gatewayB: Gateway = {
  name: 'gateway-b',

  async isConfigured() {
    return Boolean(optionalSetting('GATEWAY_B_URL') && (await readSecret('GATEWAY_B_SECRET_KEY')));
  },

  supports: (currency, amount) => supportsAmount('gateway-b', currency, amount),

  async start({ reference, amount, currency, email, name, returnUrl, description }) {
    const { ok, status, body } = await callGatewayB('POST', '/payments', {
      body: {
        tx_ref: reference,
        amount: toMajor(amount, currency),
        currency,
        redirect_url: returnUrl,
        customer: { email, name },
        customizations: { title: description },
      },
    });
    const checkoutUrl = body.data?.link;
    if (!ok || body.status !== 'success' || typeof checkoutUrl !== 'string') {
      throw providerFailed(`start: ${status}`);
    }
    return { checkoutUrl };
  },

  async findPayment({ reference }, timeoutMilliseconds) {
    const path = `/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`;
    const { body } = await callGatewayB('GET', path, { timeoutMilliseconds });
    return body.data?.status === 'successful' ? toPaymentSignal('paid', body.data) : undefined;
  },

  // The provider has no operation that closes a checkout.
  endPayment: (payment, timeoutMilliseconds) => gatewayB.findPayment(payment, timeoutMilliseconds),

  refund: refundGatewayB,

  async getReturnedAmount({ transactionId, currency }) {
    const refunds = await findRefunds(transactionId);
    const executedRefunds = refunds.filter(({ status }) => status?.startsWith('completed'));
    return executedRefunds.reduce(
      (sum, { amount_refunded }) =>
        sum + (readPaidAmount('gateway-b', 'major', amount_refunded ?? 0, currency).amount ?? 0n),
      0n,
    );
  },

  async findReference(transactionId) {
    const { body } = await callGatewayB('GET', `/transactions/${encodeURIComponent(transactionId)}/verify`);
    const reference = body.data?.tx_ref;
    return typeof reference === 'string' ? reference : undefined;
  },
};

/**
 * Refunds a payment. The provider has no idempotency keys, and does not list the comments of refunds. A payment is
 * refunded at most once, so an existing refund of the same amount is an earlier attempt at this refund.
 */
async function refundGatewayB(refund: Refund): Promise<RefundState> {
  const amount = toMajor(refund.amount, refund.currency);
  const earlierRefund = await findRefund(refund.transactionId, amount);
  if (earlierRefund) return refundStateOf(earlierRefund);
  const path = `/transactions/${encodeURIComponent(refund.transactionId)}/refund`;
  const { ok, status, body } = await callGatewayB('POST', path, {
    body: { amount, comments: refund.idempotencyKey },
  });
  if (!ok || body.status !== 'success') throw providerRefused(`refund: ${status}`);
  return refundStateOf(body.data ?? {});
}

async function findRefund(transactionId: string, amount: number): Promise<ProviderRefund | undefined> {
  const refunds = await findRefunds(transactionId);
  return refunds.find(
    ({ amount_refunded, status }) => amount_refunded === amount && !status?.startsWith('failed'),
  );
}

async function findRefunds(transactionId: string): Promise<ProviderRefund[]> {
  const refunds = await readAllPages<ProviderRefund>(async ({ number, timeoutMilliseconds }) => {
    // The documentation of this list shows pages, but not the parameter, which is that of the provider's other lists.
    const query = new URLSearchParams({ id: transactionId, ...(number > 1 && { page: String(number) }) });
    const { ok, status, body } = await callGatewayB('GET', `/refunds?${query}`, { timeoutMilliseconds });
    const { current_page: page = 1, total_pages: pageCount = 1 } = body.meta?.page_info ?? {};
    if (!ok || (pageCount > 1 && Number(page) !== number))
      throw providerFailed(`refunds: ${status}, page ${page}`);
    return { items: Array.isArray(body.data) ? body.data : [], hasMore: number < pageCount };
  });
  // Do not rely on the provider to apply the filter.
  return refunds.filter(({ transaction_id, tx_id }) => String(transaction_id ?? tx_id) === transactionId);
}

interface ProviderRefund {
  /** The payment. The documentation uses this name in lists, and `tx_id` elsewhere. */
  transaction_id?: number;
  tx_id?: number;
  amount_refunded?: number;
  /** Such as `pending`, `completed`, `completed-bank-transfer`, `failed`. */
  status?: string;
}

function refundStateOf({ status }: ProviderRefund): RefundState {
  return status?.startsWith('completed') ? 'done' : 'pending';
}

/** Transfers by gateway-b. */
export const transferGatewayB: TransferGateway = {
  name: 'gateway-b',
  isConfigured: gatewayB.isConfigured,
  supports: (currency) => supportsAmount('gateway-b', currency),

  async transfer({ reference, amount, currency, destination }) {
    const { ok, status, body } = await callGatewayB('POST', '/transfers', {
      body: {
        account_bank: destination.bankCode,
        account_number: destination.accountNumber,
        beneficiary_name: destination.accountName,
        amount: toMajor(amount, currency),
        currency,
        narration: 'Ticket sales',
        reference,
      },
    });
    if (ok && body.status === 'success') return;
    // The provider refuses a reference that it has executed. So if the transfer exists, an earlier call started it.
    if ((await this.findTransfer(reference)) === 'unknown') throw providerRefused(`transfer: ${status}`);
  },

  async findTransfer(reference) {
    const { ok, status, body } = await callGatewayB(
      'GET',
      `/transfers?reference=${encodeURIComponent(reference)}`,
    );
    if (status === 404) return 'unknown';
    if (!ok || !Array.isArray(body.data)) throw providerFailed(`find transfer: ${status}`);
    // Do not rely on the provider to apply the filter.
    const ourTransfer = body.data.find(
      (transfer: { reference?: unknown }) => transfer.reference === reference,
    );
    return ourTransfer ? (toTransferSignal(ourTransfer) ?? 'under-way') : 'unknown';
  },
};

/**
 * Calls gateway-b by Flutterwave's v3 protocol: https://developer.flutterwave.com/v3.0
 * @throws DomainError `provider-failed` as `callProvider` does, and for a response that does not follow the protocol
 */
export async function callGatewayB(
  method: 'GET' | 'POST',
  path: string,
  { body, timeoutMilliseconds }: { body?: object; timeoutMilliseconds?: number } = {},
): Promise<ProviderResponse> {
  const bearer = await requiredSecret('GATEWAY_B_SECRET_KEY');
  const response = await callProvider({
    method,
    url: requiredSetting('GATEWAY_B_URL') + path,
    bearer,
    body,
    timeoutMilliseconds,
  });
  if (typeof response.body.status !== 'string') throw providerFailed('unexpected response');
  return response;
}

/** Reads the banks of a country: https://developer.flutterwave.com/v3.0/reference/get-all-banks */
export async function listBanksB(_currency: Currency, country: string) {
  const { ok, status, body } = await callGatewayB('GET', `/banks/${encodeURIComponent(country)}`);
  if (status === 404 || status === 400) return [];
  if (!ok || !Array.isArray(body.data)) throw providerRefused(`banks: ${status}`);
  return body.data.map(({ name, code }: { name: string; code: string }) => ({ name, code }));
}

// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
export function toPaymentSignal(kind: PaymentSignal['kind'], data: any): PaymentSignal {
  return {
    kind,
    reference: data.tx_ref,
    transactionId: toShortText(data.id),
    ...readPaidAmount('gateway-b', 'major', data.amount, data.currency),
  };
}

/** Converts a transfer to a signal; returns undefined while it has no outcome. */
// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
export function toTransferSignal(data: any): TransferSignal | undefined {
  if (typeof data?.reference !== 'string') return undefined;
  const ids = { reference: data.reference, transactionId: toShortText(data.id) };
  if (data.status === 'SUCCESSFUL') return { kind: 'transfer-succeeded', ...ids };
  return data.status === 'FAILED' ? { kind: 'transfer-failed', ...ids } : undefined;
}
