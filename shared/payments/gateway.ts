import type { Currency } from '../core/money.ts';
import type { GatewayName, TransferGatewayName } from '../core/schemas.ts';

/** A payment to start. */
export interface Payment {
  /** The order's payment reference, sent to the provider. */
  reference: string;
  /** Minor units of `currency`. */
  amount: bigint;
  currency: Currency;
  email: string;
  name: string;
  /** What the buyer pays for, as shown at the checkout. */
  description: string;
  /** Where the provider sends the buyer afterwards. */
  returnUrl: string;
  /** When the order's hold ends, ISO 8601. */
  expiresAt: string;
}

/** The ids by which `findPayment` queries a started payment. */
export interface StartedPayment {
  reference: string;
  checkoutSession?: string;
}

/** A provider's report on a payment, in the form that settlement processes. */
export interface PaymentSignal {
  /** `declined`: an attempt to pay failed, and the buyer can try again in the same checkout. */
  kind: 'paid' | 'failed' | 'declined';
  reference: string;
  transactionId: string;
  /** The provider's id of the checkout, where the report contains it. */
  checkoutSession?: string;
  /** The amount paid, in minor units of `currency`; absent where the provider does not report it. */
  amount?: bigint;
  /** The currency as the provider spells it. */
  currency?: string;
  /**
   * Instead of `amount` where the provider does not report a currency: the amount that it reports, in its own subunits
   * or in major units.
   */
  amountWithoutCurrency?: { unit: 'subunit' | 'major'; amount: unknown };
  /** When the payment was made, epoch milliseconds; absent where only the time of the report is known. */
  paidAt?: number;
}

/**
 * A provider's report that a payment was returned or disputed. It only identifies the payment; the amount is queried
 * from the provider.
 */
export interface ReturnSignal {
  kind: 'returned';
  /** Our reference, where the report contains it. */
  reference?: string;
  /** The provider's id of the payment, where the report does not contain our reference. */
  transactionId?: string;
  isDispute: boolean;
  /** The provider's id of the dispute, where the report contains it. */
  disputeId?: string;
  /** Whether the dispute has ended and the buyer gets no money by it. */
  isDisputeWon?: boolean;
  /** Whether the dispute has ended and the buyer got the money. */
  isDisputeLost?: boolean;
  /** The provider's id of a refund that has failed, maybe after it had succeeded. */
  failedRefundId?: string;
}

/** A refund of a payment to the buyer. */
export interface Refund {
  /** The provider's id of the payment, from its `PaymentSignal`. */
  transactionId: string;
  /** The order's payment reference. */
  reference: string;
  /** Minor units of `currency`. */
  amount: bigint;
  currency: Currency;
  /** The whole payment, in minor units: the most that all refunds together may return, those of the dashboard included. */
  paidAmount: bigint;
  /** Identifies the refund among those of all payments. */
  idempotencyKey: string;
  /** The provider's ids of the payment's other refunds that this service has requested and finished. */
  finishedRefunds: readonly string[];
  /** Whether it may be requested. Otherwise only an earlier attempt counts: the provider has failed to execute too many. */
  mayRequest: boolean;
  /**
   * Identifies the attempt. A provider with idempotency keys answers a repeated key with the stored answer, even with a
   * failure. So the key that is sent to it includes the attempt.
   */
  attempt: string;
}

/** Whether the provider has executed the refund (`done`) or is still processing it (`pending`). */
export type RefundState = 'done' | 'pending';

/** Money that went or goes back to the buyer: a refund that has not failed, or a dispute. */
export interface MoneyReturn {
  /** The provider's id of the refund or dispute. */
  id: string;
  /** Minor units of the payment's currency. */
  amount: bigint;
  state: RefundState;
  /**
   * The key that it was requested with; an empty string for others. Absent where the provider does not report what a
   * request was marked with.
   */
  idempotencyKey?: string;
}

/** A refund at the provider. */
export interface RequestedRefund {
  /** The provider's id; absent when the payment had gone back already, so that nothing was requested. */
  id?: string;
  state: RefundState;
}

/** An adapter of a payment provider. */
export interface Gateway {
  name: GatewayName;
  /** Whether `endPayment` closes the checkout, so that nobody can pay there any more. */
  closesCheckout: boolean;
  /** Whether its address and secrets are configured. */
  isConfigured(): Promise<boolean>;
  /** Whether the provider accepts this currency and amount (minor units). */
  supports(currency: Currency, amount: bigint): boolean;
  /**
   * Starts a payment.
   * @returns the address of the checkout, and the provider's session id when the provider can't find payments by our
   * reference
   * @throws DomainError `provider-failed` when the provider refuses, fails or takes longer than 8 s
   */
  start(payment: Payment): Promise<{ checkoutUrl: string; checkoutSession?: string }>;
  /**
   * Queries the provider for a completed payment.
   * @returns undefined for an unpaid or unknown payment
   * @throws DomainError `provider-failed` when there is no answer
   */
  findPayment(payment: StartedPayment, timeoutMilliseconds?: number): Promise<PaymentSignal | undefined>;
  /**
   * Closes the checkout if the provider supports it, then queries the provider as `findPayment` does.
   * @param timeoutMilliseconds the timeout of each call
   * @throws DomainError `provider-failed` when there is no answer
   */
  endPayment(payment: StartedPayment, timeoutMilliseconds?: number): Promise<PaymentSignal | undefined>;
  /**
   * Refunds an amount of a payment, or what is left of it after all other returns. Safe to repeat after any error, since
   * an earlier attempt is looked up first. Of the refunds of one payment only one may be under way at a time: some
   * providers have no idempotency keys.
   * @returns `done` once the money went back
   * @throws DomainError `provider-failed` when the provider refuses, fails or takes longer than 8 s
   */
  refund(refund: Refund): Promise<RequestedRefund>;
  /**
   * Lists the returns of a payment to the buyer, done and pending, those of the dashboard included: refunds that have not
   * failed, and disputes for which the provider withdrew the money.
   * @throws DomainError `provider-failed` when there is no answer
   */
  findReturns(payment: { transactionId: string; currency: Currency }): Promise<MoneyReturn[]>;
  /**
   * Finds our reference by the provider's id of the payment, for a provider whose reports do not contain our reference.
   * @throws as `findReturns`
   */
  findReference?(transactionId: string): Promise<string | undefined>;
}

/** A transfer from our balance at the provider to a bank account. */
export interface Transfer {
  /**
   * The provider executes a reference once. While the outcome of a transfer is uncertain, repeat it with the same
   * reference. Use a new reference only after the transfer has definitely failed.
   */
  reference: string;
  /** Minor units of `currency`. */
  amount: bigint;
  currency: Currency;
  destination: { accountNumber: string; bankCode: string; accountName: string };
}

/** The outcome of a transfer; `reference` is the transfer's. */
export interface TransferSignal {
  kind: 'transfer-succeeded' | 'transfer-failed';
  reference: string;
  transactionId: string;
}

/** An adapter of a provider that sends money to organizers. */
export interface TransferGateway {
  name: TransferGatewayName;
  /** Whether its address and secrets are configured. */
  isConfigured(): Promise<boolean>;
  /** Whether the provider sends this currency to bank accounts. */
  supports(currency: Currency): boolean;
  /**
   * Starts a transfer. A webhook or `findTransfer` reports the outcome later. A repeated call with the same reference
   * succeeds.
   * @throws DomainError `provider-failed` when the provider refuses, fails or takes longer than 8 s. After a failure or
   * a timeout the transfer may have started: call `findTransfer`
   */
  transfer(transfer: Transfer): Promise<void>;
  /**
   * Queries the provider for a transfer.
   * @returns `under-way` while the provider processes it, `unknown` when it has no such transfer
   * @throws DomainError `provider-failed` when there is no answer
   */
  findTransfer(reference: string): Promise<TransferSignal | 'under-way' | 'unknown'>;
}

/** A provider's report on a payment, a payout's transfer or a returned payment. */
export type Signal = PaymentSignal | TransferSignal | ReturnSignal;

/**
 * Verifies a webhook's exact bytes and converts them to a signal.
 * @returns undefined for an authentic event that none of the signals describes
 * @throws DomainError 401 for a webhook that is not authentic
 */
export type WebhookReader = (
  body: Buffer,
  header: (name: string) => string | undefined,
) => Promise<Signal | undefined>;
