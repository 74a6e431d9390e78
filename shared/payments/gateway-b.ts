import { unauthenticated } from '../core/errors.ts';
import type { Currency } from '../core/money.ts';
import { optionalSetting, requiredSetting } from '../runtime/config.ts';
import { isSameSecret, readAcceptedValues, readSecret, requiredSecret } from '../runtime/secrets.ts';
import { log } from '../runtime/telemetry.ts';
import type {
  Gateway,
  MoneyReturn,
  PaymentSignal,
  Refund,
  RefundState,
  RequestedRefund,
  Signal,
  TransferGateway,
  TransferSignal,
  WebhookReader,
} from './gateway.ts';
import {
  callProvider,
  type ProviderResponse,
  parseWebhook,
  providerFailed,
  providerRefused,
  readAllPages,
  readPaidAmount,
  refundOnce,
  startTimeoutMilliseconds,
  supportsAmount,
  toMajor,
  toShortText,
} from './provider.ts';

/** Payments by gateway-b. */
export const gatewayB: Gateway = {
  name: 'gateway-b',
  closesCheckout: false,

  async isConfigured() {
    return Boolean(optionalSetting('GATEWAY_B_URL') && (await readSecret('GATEWAY_B_SECRET_KEY')));
  },

  supports: (currency, amount) => supportsAmount('gateway-b', currency, amount),

  async start({ reference, amount, currency, email, name, returnUrl, description }) {
    const { ok, status, body } = await callGatewayB('POST', '/payments', {
      timeoutMilliseconds: startTimeoutMilliseconds,
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
      throw providerRefused(`start: ${status}`);
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

  findReturns,

  async findReference(transactionId) {
    const { body } = await callGatewayB('GET', `/transactions/${encodeURIComponent(transactionId)}/verify`);
    const reference = body.data?.tx_ref;
    return typeof reference === 'string' ? reference : undefined;
  },
};

async function refundGatewayB(refund: Refund): Promise<RequestedRefund> {
  const { transactionId, currency, idempotencyKey } = refund;
  return refundOnce(refund, await findReturns(refund), async (amount) => {
    const path = `/transactions/${encodeURIComponent(transactionId)}/refund`;
    const { ok, status, body } = await callGatewayB('POST', path, {
      // The provider has no idempotency keys, and its lists do not show comments. They are for readers of its dashboard.
      body: { amount: toMajor(amount, currency), comments: idempotencyKey },
    });
    if (!ok || body.status !== 'success') throw providerRefused(`refund: ${status}`);
    return { id: toShortText(body.data?.id), state: refundStateOf(body.data ?? {}) };
  });
}

async function findReturns({
  transactionId,
  currency,
}: Pick<Refund, 'transactionId' | 'currency'>): Promise<MoneyReturn[]> {
  const refunds = await findRefunds(transactionId);
  return refunds
    .filter(({ status }) => !status?.startsWith('failed'))
    .map((refund) => ({
      id: toShortText(refund.id),
      amount: readPaidAmount('gateway-b', 'major', refund.amount_refunded ?? 0, currency).amount ?? 0n,
      state: refundStateOf(refund),
    }));
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
  id?: number;
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

/**
 * Reads a webhook of gateway-b. Its header is a fixed secret, which authenticates the sender but not the content. With
 * the setting VERIFY_WITH_GATEWAY, settlement also queries the gateway for the payment.
 */
export const readGatewayBWebhook: WebhookReader = async (body, header) => {
  const hashes = await readAcceptedValues('GATEWAY_B_SECRET_HASH');
  if (hashes.length === 0) log.error('Webhook refused', new Error('GATEWAY_B_SECRET_HASH is not configured'));
  if (!hashes.some((hash) => isSameSecret(header('verif-hash') ?? '', hash))) {
    throw unauthenticated('Invalid signature', 'invalid-signature');
  }
  const { event, data } = parseWebhook(body);
  if (event === 'transfer.completed') return toTransferSignal(data);
  if (toShortText(event).startsWith('refund')) {
    // A refund has the provider's id of the payment, in this spelling, instead of our reference.
    const transactionId = toShortText(data?.TransactionId);
    return transactionId === '' ? undefined : { kind: 'returned', transactionId, isDispute: false };
  }
  if (typeof data?.tx_ref !== 'string') return undefined;
  if (toShortText(event).startsWith('chargeback')) {
    const dispute = {
      disputeId: toShortText(data.id),
      isDisputeWon: data.status === 'won',
      isDisputeLost: data.status === 'lost',
    };
    return { kind: 'returned', reference: data.tx_ref, isDispute: true, ...dispute };
  }
  return toChargeSignal(event, data);
};

// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
function toChargeSignal(event: unknown, data: any): Signal | undefined {
  if (event === 'charge.failed') return toPaymentSignal('failed', data);
  if (event !== 'charge.completed') return undefined;
  if (data.status === 'successful') return toPaymentSignal('paid', data);
  return data.status === 'failed' ? toPaymentSignal('failed', data) : undefined;
}

/** The fields of a webhook's body that this service reads, as JSON Schema for the API reference. */
export const webhookBody = {
  type: 'object',
  properties: {
    event: { type: 'string', description: 'The kind of event', examples: ['charge.completed'] },
    data: {
      type: 'object',
      description: 'The payment or the transfer',
      properties: {
        id: { type: ['integer', 'string'], description: 'The gateway’s id', examples: [285959875] },
        status: { type: 'string', description: 'The outcome', examples: ['successful'] },
        tx_ref: {
          type: 'string',
          description: 'Our reference of a payment',
          examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'],
        },
        TransactionId: {
          type: ['integer', 'string'],
          description: 'The gateway’s id of a refunded payment',
          examples: [285959875],
        },
        reference: { type: 'string', description: 'Our reference of a transfer' },
        amount: { type: 'number', description: 'In major units', examples: [102.5] },
        currency: { type: 'string', description: 'ISO 4217', examples: ['NGN'] },
      },
      required: ['id', 'status'],
    },
  },
  required: ['event', 'data'],
} as const;
