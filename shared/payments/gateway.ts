import type { Currency } from '../core/money.ts';

export const gatewayNames = ['gateway-a', 'gateway-b', 'gateway-c'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** A payment to be begun. */
export interface Payment {
  reference: string;
  /** Minor units of `currency`. */
  amount: bigint;
  currency: Currency;
  email: string;
  name: string;
  /** What the buyer is told they pay for. */
  description: string;
  /** Where the provider sends the buyer afterwards. */
  returnUrl: string;
  /** When the order's hold ends, ISO 8601. */
  expiresAt: string;
}

/** A payment that was begun: what `start` was given and gave back. */
export interface StartedPayment {
  reference: string;
  checkoutSession?: string;
}

/** What a provider tells us about a payment, in the one form that settling takes. */
export interface PaymentSignal {
  kind: 'paid' | 'failed';
  reference: string;
  transactionId: string;
  /** What was paid, as far as the provider says: minor units of `currency`. */
  amount?: bigint;
  /** As the provider writes it. */
  currency?: string;
  /** What was paid, where the provider does not say in which currency: in its own unit, not looked at yet. */
  bareAmount?: { unit: 'sub' | 'major'; amount: unknown };
}

/** Money to be given back to who paid it. */
export interface Refund {
  /** The provider's id of the payment, as its signal named it. */
  transactionId: string;
  /** The order's payment reference. */
  reference: string;
  /** Minor units of `currency`. */
  amount: bigint;
  currency: Currency;
  /** The same for every attempt at the same refund. */
  idempotencyKey: string;
}

/** Whether the money is on its way back for certain, or the provider still decides. */
export type RefundState = 'done' | 'pending';

/** One payment provider. All that goes over the wire stays behind it. */
export interface Gateway {
  name: GatewayName;
  /** Whether everything that is needed to begin payments is configured. */
  isConfigured(): Promise<boolean>;
  /** Whether the provider takes this currency, and this very amount of it (minor units). */
  supports(currency: Currency, amount: bigint): boolean;
  /**
   * Begins a payment.
   * @returns where the buyer goes to pay; and what to keep with the order, where the provider can't be asked
   * by our reference
   * @throws DomainError `provider-failed` when the provider refuses, fails or takes longer than 8 s
   */
  start(payment: Payment): Promise<{ checkoutUrl: string; checkoutSession?: string }>;
  /**
   * Asks whether a payment was made.
   * @returns undefined while it was not, and when the provider does not know it
   * @throws DomainError `provider-failed` when there is no answer
   */
  findPayment(payment: StartedPayment, limitMilliseconds?: number): Promise<PaymentSignal | undefined>;
  /**
   * Gives money back. Safe to call again with the same key after an error, also when the first call had got
   * through.
   * @throws DomainError `provider-failed` when the provider refuses, fails or takes longer than 8 s
   */
  refund(refund: Refund): Promise<RefundState>;
}
