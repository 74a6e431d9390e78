import type { Money, Payment, Payments, Transfer, Transfers } from './payments.ts';
import type { Reply, Routes } from './router.ts';

/** What a provider uses of the sandbox. */
export interface ProviderContext {
  payments: Payments;
  transfers: Transfers;
  /** Returns the address of a payment's checkout page. */
  checkoutUrl(payment: Payment): string;
  /** Starts a new transfer, which ends with a webhook. */
  startTransfer(transfer: Transfer): void;
}

/** A payment provider: its API, its webhooks and its redirects. */
/** What happened to a payment: a refund, which may be pending; the end of pending refunds; or a dispute. */
export type ReversalKind = 'refund' | 'ended-refund' | 'dispute';

export interface Provider {
  /** The key that callers must send. Without a configured key every call is refused. */
  key: string | undefined;
  /** The provider's API. Paths are relative to `/<gateway name>`. */
  routes: Routes;
  /** Returns an error in the provider's format. */
  refuse(status: number, message: string): Reply;
  /** Returns the headers that authenticate a webhook. */
  sign(body: string): Record<string, string>;
  paymentEvent(payment: Payment, outcome: 'paid' | 'failed'): object;
  /** Returns the webhook event about a refund or a dispute. */
  reversalEvent(payment: Payment, reversalKind: ReversalKind): object;
  transferEvent?(transfer: Transfer): object;
  /** Returns the address that the buyer is redirected to after paying. */
  returnUrl(payment: Payment): string;
  /** Converts an amount to major units. */
  decimalAmount(money: Money): number;
}

/** Adds parameters to an address, replacing those of the same names. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
