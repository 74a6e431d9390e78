import { createHmac } from 'node:crypto';
import { DomainError, unauthenticated } from '../core/errors.ts';
import type { Currency } from '../core/money.ts';
import { optionalSetting, requiredSetting } from '../runtime/config.ts';
import { isSameSecret, readAcceptedValues, readKeyList, readSecret } from '../runtime/secrets.ts';
import type {
  Gateway,
  MoneyReturn,
  PaymentSignal,
  Refund,
  RefundState,
  RequestedRefund,
  ReturnSignal,
  TransferGateway,
  TransferSignal,
  WebhookReader,
} from './gateway.ts';
import {
  callProvider,
  fromSubunits,
  type ProviderResponse,
  parseWebhook,
  providerFailed,
  providerRefused,
  providerTimeoutMilliseconds,
  readAllPages,
  readPaidAmount,
  refundOnce,
  startTimeoutMilliseconds,
  supportsAmount,
  toShortText,
  toSubunits,
} from './provider.ts';

/** Payments by gateway-a. */
export const gatewayA: Gateway = {
  name: 'gateway-a',
  closesCheckout: false,

  async isConfigured() {
    return Boolean(optionalSetting('GATEWAY_A_URL') && (await readSecret('GATEWAY_A_SECRET')));
  },

  supports: (currency, amount) => supportsAmount('gateway-a', currency, amount),

  async start({ reference, amount, currency, email, name, returnUrl, description }) {
    const { ok, status, body } = await callGatewayA('POST', '/transaction/initialize', {
      timeoutMilliseconds: startTimeoutMilliseconds,
      body: {
        email,
        amount: Number(toSubunits('gateway-a', amount, currency)),
        currency,
        reference,
        callback_url: returnUrl,
        metadata: {
          customer_name: name,
          custom_fields: [{ display_name: 'For', variable_name: 'description', value: description }],
        },
      },
    });
    const checkoutUrl = body.data?.authorization_url;
    if (!ok || body.status !== true || typeof checkoutUrl !== 'string')
      throw providerRefused(`start: ${status}`);
    return { checkoutUrl };
  },

  async findPayment({ reference }, timeoutMilliseconds) {
    const path = `/transaction/verify/${encodeURIComponent(reference)}`;
    const { body } = await callGatewayA('GET', path, { timeoutMilliseconds });
    return body.data?.status === 'success' ? toPaymentSignal('paid', body.data) : undefined;
  },

  // The provider has no operation that closes a checkout.
  endPayment: (payment, timeoutMilliseconds) => gatewayA.findPayment(payment, timeoutMilliseconds),

  refund: refundGatewayA,

  findReturns,
};

async function refundGatewayA(refund: Refund): Promise<RequestedRefund> {
  const { transactionId, currency, idempotencyKey } = refund;
  return refundOnce(refund, await findReturns(refund), async (amount) => {
    const { ok, status, body } = await callGatewayA('POST', '/refund', {
      body: {
        transaction: transactionId,
        amount: Number(toSubunits('gateway-a', amount, currency)),
        currency,
        // The provider has no idempotency keys, but reports the note in its lists.
        merchant_note: idempotencyKey,
      },
    });
    if (!ok || body.status !== true) throw providerRefused(`refund: ${status}`);
    return { id: toShortText(body.data?.id), state: refundStateOf(body.data) };
  });
}

/** The refunds include disputes that the merchant accepted or lost. */
async function findReturns({
  transactionId,
  currency,
}: Pick<Refund, 'transactionId' | 'currency'>): Promise<MoneyReturn[]> {
  const refunds = await findRefunds(transactionId);
  return refunds
    .filter(({ status }) => status !== 'failed')
    .map((refund) => ({
      id: toShortText(refund.id),
      idempotencyKey: toShortText(refund.merchant_note),
      amount: fromSubunits('gateway-a', BigInt(toShortText(refund.amount) || 0), currency),
      state: refundStateOf(refund),
    }));
}

function findRefunds(transactionId: string): Promise<ProviderRefund[]> {
  return readAllPages(async ({ number, timeoutMilliseconds }) => {
    const query = new URLSearchParams({ transaction: transactionId, perPage: '100', page: String(number) });
    const { ok, status, body } = await callGatewayA('GET', `/refund?${query}`, { timeoutMilliseconds });
    if (!ok || !Array.isArray(body.data)) throw providerFailed(`refunds: ${status}`);
    return { items: body.data, hasMore: number < Number(body.meta?.pageCount ?? 1) };
  });
}

interface ProviderRefund {
  id?: number;
  merchant_note?: string | null;
  /** Subunits. */
  amount?: number | string;
  status?: string;
}

function refundStateOf(refund: ProviderRefund | undefined): RefundState {
  return refund?.status === 'processed' ? 'done' : 'pending';
}

/** The provider's type of a bank account, by its currency. */
const recipientTypes: Partial<Record<Currency, string>> = {
  NGN: 'nuban',
  GHS: 'ghipss',
  ZAR: 'basa',
  KES: 'kepss',
};

/** Transfers by gateway-a. */
export const transferGatewayA: TransferGateway = {
  name: 'gateway-a',
  isConfigured: gatewayA.isConfigured,
  supports: (currency) => recipientTypes[currency] !== undefined,

  async transfer({ reference, amount, currency, destination }) {
    // This call is idempotent: the provider returns the same recipient for the same account.
    const recipient = await callGatewayA('POST', '/transferrecipient', {
      body: {
        type: recipientTypes[currency],
        name: destination.accountName,
        account_number: destination.accountNumber,
        bank_code: destination.bankCode,
        currency,
      },
    });
    const recipientCode = recipient.body.data?.recipient_code;
    if (!recipient.ok || typeof recipientCode !== 'string')
      throw providerRefused(`recipient: ${recipient.status}`);
    const { ok, status } = await callGatewayA('POST', '/transfer', {
      body: {
        source: 'balance',
        amount: Number(toSubunits('gateway-a', amount, currency)),
        currency,
        recipient: recipientCode,
        reference,
        reason: 'Ticket sales',
      },
    });
    // The provider refuses a reference that it has executed. So if the transfer exists, an earlier call started it.
    if (!ok && (await this.findTransfer(reference)) === 'unknown')
      throw providerRefused(`transfer: ${status}`);
  },

  async findTransfer(reference) {
    const { status, ok, body } = await callGatewayA(
      'GET',
      `/transfer/verify/${encodeURIComponent(reference)}`,
    );
    if (status === 404 || status === 400) return 'unknown';
    if (!ok || !body.data) throw providerFailed(`find transfer: ${status}`);
    switch (body.data.status) {
      case 'success':
        return toTransferSignal('transfer-succeeded', body.data);
      case 'failed':
      case 'reversed':
      case 'abandoned':
      case 'blocked':
      case 'rejected':
        return toTransferSignal('transfer-failed', body.data);
      default:
        // Statuses such as pending, otp and received are not final.
        return 'under-way';
    }
  },
};

/**
 * Calls gateway-a by Paystack's protocol: https://paystack.com/docs/api
 * @throws DomainError `provider-failed` as `callProvider` does, and for a response that does not follow the protocol
 */
export async function callGatewayA(
  method: 'GET' | 'POST',
  path: string,
  { body, timeoutMilliseconds }: { body?: object; timeoutMilliseconds?: number } = {},
): Promise<ProviderResponse> {
  const [bearer] = await readKeyList('GATEWAY_A_SECRET');
  const response = await callProvider({
    method,
    url: requiredSetting('GATEWAY_A_URL') + path,
    bearer,
    body,
    timeoutMilliseconds,
  });
  if (typeof response.body.status !== 'boolean') throw providerFailed('unexpected response');
  return response;
}

/**
 * Reads all pages of the banks, within the timeout of one call. The currency selects the country: each of the
 * provider's currencies belongs to one country: https://paystack.com/docs/api/miscellaneous
 */
export async function listBanksA(currency: Currency) {
  const deadline = Date.now() + providerTimeoutMilliseconds;
  const banks: ProviderBank[] = [];
  let nextPage: string | null | undefined;
  do {
    const query = new URLSearchParams({
      currency,
      use_cursor: 'true',
      perPage: '100',
      ...(nextPage && { next: nextPage }),
    });
    const timeoutMilliseconds = Math.max(deadline - Date.now(), 1);
    const { ok, status, body } = await callGatewayA('GET', `/bank?${query}`, { timeoutMilliseconds });
    if (!ok || !Array.isArray(body.data)) throw providerRefused(`banks: ${status}`);
    banks.push(...body.data);
    nextPage = body.meta?.next;
  } while (nextPage);
  // Mobile money needs recipients of another type than bank accounts.
  return banks
    .filter(({ active, type }) => active !== false && !type?.startsWith('mobile_money'))
    .map(({ name, code }) => ({ name, code }));
}

interface ProviderBank {
  name: string;
  code: string;
  active?: boolean;
  /** Such as `nuban`, `ghipss`, `mobile_money`. */
  type?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
export function toPaymentSignal(kind: PaymentSignal['kind'], data: any): PaymentSignal {
  return {
    kind,
    reference: data.reference,
    transactionId: toShortText(data.id),
    ...readPaidAmount('gateway-a', 'subunit', data.amount, data.currency),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
export function toTransferSignal(kind: TransferSignal['kind'], data: any): TransferSignal {
  return { kind, reference: data.reference, transactionId: toShortText(data.id) };
}

/**
 * Reads a webhook of gateway-a. Parses nothing before its signature is verified.
 * @throws DomainError 500 when the secret is not configured; 401 when the signature is missing or invalid
 */
export const readGatewayAWebhook: WebhookReader = async (body, header) => {
  const keys = await readAcceptedValues('GATEWAY_A_SECRET');
  if (keys.length === 0)
    throw new DomainError('misconfigured', 'server-configuration', 'Server configuration error');
  const signature = header(
    (optionalSetting('GATEWAY_A_SIGNATURE_HEADER') ?? 'x-gateway-a-signature').toLowerCase(),
  );
  if (!signature) throw unauthenticated('No signature', 'no-signature');
  const sign = (key: string) => createHmac('sha512', key).update(body).digest('hex');
  if (!keys.some((key) => isSameSecret(signature, sign(key)))) {
    throw unauthenticated('Invalid signature', 'invalid-signature');
  }
  const { event, data } = parseWebhook(body);
  const signal = toReturnSignal(event, data);
  if (signal) return signal;
  if (typeof data?.reference !== 'string') return undefined;
  switch (event) {
    case 'charge.success':
      return toPaymentSignal('paid', data);
    case 'charge.failed':
      return toPaymentSignal('failed', data);
    case 'transfer.success':
      return toTransferSignal('transfer-succeeded', data);
    case 'transfer.failed':
    case 'transfer.reversed':
      return toTransferSignal('transfer-failed', data);
    default:
      return undefined;
  }
};

/**
 * Converts a refund or a dispute to a signal; returns undefined for any other event. A `refund.…` event has the
 * reference in a field of its own, a `charge.dispute.…` event in the nested payment.
 */
// biome-ignore lint/suspicious/noExplicitAny: the provider's own shape
function toReturnSignal(event: unknown, data: any): ReturnSignal | undefined {
  const isDispute = toShortText(event).startsWith('charge.dispute.');
  if (!isDispute && !toShortText(event).startsWith('refund.')) return undefined;
  const reference = data?.transaction_reference ?? data?.transaction?.reference;
  if (typeof reference !== 'string') return undefined;
  // The resolution is the merchant's answer: a dispute that the merchant accepted is followed by a refund.
  const isResolved = event === 'charge.dispute.resolve';
  const isDisputeWon = isResolved && data.resolution === 'declined';
  const dispute = {
    disputeId: toShortText(data.id),
    isDisputeWon,
    isDisputeLost: isResolved && !isDisputeWon,
  };
  return { kind: 'returned', reference, isDispute, ...(isDispute && dispute) };
}

/** The fields of a webhook's body that this service reads, as JSON Schema for the API reference. */
export const webhookBody = {
  type: 'object',
  properties: {
    event: { type: 'string', description: 'The kind of event', examples: ['charge.success'] },
    data: {
      type: 'object',
      description: 'The payment or the transfer',
      properties: {
        id: { type: ['integer', 'string'], description: 'The gateway’s id', examples: [302961] },
        reference: {
          type: 'string',
          description: 'Our reference',
          examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'],
        },
        amount: { type: 'integer', description: 'In subunits', examples: [10250] },
        currency: { type: 'string', description: 'ISO 4217', examples: ['NGN'] },
      },
      required: ['id', 'reference'],
    },
  },
  required: ['event', 'data'],
} as const;
