import type { Currency } from '../core/money.ts';
import type { GatewayName } from './gateway.ts';

/** The gateways that send money to organizers. */
export const transferGatewayNames = ['gateway-a', 'gateway-b'] as const satisfies GatewayName[];
export type TransferGatewayName = (typeof transferGatewayNames)[number];

/** Money to be sent from our balance at the provider to a bank account. */
export interface Transfer {
  /**
   * Names the transfer for the provider, which executes a reference once. While it is not known how a transfer
   * went, try again with the same reference; only after it failed for certain may a new one be taken.
   */
  reference: string;
  /** Minor units of `currency`. */
  amount: bigint;
  currency: Currency;
  destination: { accountNumber: string; bankCode: string; accountName: string };
}

/** How a transfer ended; `reference` is the one it was ordered under. */
export interface TransferSignal {
  kind: 'transfer-succeeded' | 'transfer-failed';
  reference: string;
  transactionId: string;
}

/** A provider that sends money to organizers. */
export interface TransferGateway {
  name: TransferGatewayName;
  /** Whether everything that is needed to send money is configured. */
  isConfigured(): Promise<boolean>;
  /** Whether the provider sends this currency to bank accounts. */
  supports(currency: Currency): boolean;
  /**
   * Orders a transfer; how it went is told later by a webhook, or by `findTransfer`. A reference that the
   * provider knows already counts as ordered.
   * @throws DomainError `provider-failed` when the provider refuses, fails or takes longer than 8 s. Unless it
   * refused it may have taken the order all the same: ask by `findTransfer`
   */
  transfer(transfer: Transfer): Promise<void>;
  /**
   * Asks how a transfer went.
   * @returns `under-way` while the provider works on it, `unknown` when it never got it
   * @throws DomainError `provider-failed` when there is no answer
   */
  findTransfer(reference: string): Promise<TransferSignal | 'under-way' | 'unknown'>;
}
