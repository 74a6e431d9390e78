import type { Currency } from '../money.ts';

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
}

/** What a provider tells us about a payment, in the one form that settling takes. */
export interface Signal {
  kind: 'paid' | 'failed';
  reference: string;
  transactionId: string;
  /** What was paid, as far as the provider says: minor units of `currency`. */
  amount?: bigint;
  /** As the provider writes it. */
  currency?: string;
}

/** One payment provider. All that goes over the wire stays behind it. */
export interface Gateway {
  name: GatewayName;
  /** Whether everything that is needed to begin payments is configured. */
  isConfigured(): Promise<boolean>;
  /** Whether the provider takes this currency. */
  supports(currency: Currency): boolean;
  /**
   * Begins a payment.
   * @returns where the buyer goes to pay
   * @throws DomainError `provider-failed` when the provider refuses, fails or takes longer than 8 s
   */
  start(payment: Payment): Promise<{ checkoutUrl: string }>;
  /**
   * Asks whether a payment was made.
   * @returns undefined while it was not, and when the provider does not know it
   * @throws DomainError `provider-failed` when there is no answer
   */
  findPayment(reference: string, limitMilliseconds?: number): Promise<Signal | undefined>;
}

/**
 * What a webhook says, once it is known to be genuine: about a payment, or undefined for anything that is no
 * business of ours.
 */
export type WebhookReader = (
  body: Buffer,
  header: (name: string) => string | undefined,
) => Promise<Signal | undefined>;
