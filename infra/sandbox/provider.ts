import type { Money, Payment, Payments } from './payments.ts';
import type { Reply, Routes } from './router.ts';
import type { Transfer, Transfers } from './transfers.ts';

/** What a provider needs of the sandbox. */
export interface Desk {
  payments: Payments;
  transfers: Transfers;
  /** Where buyers of this sandbox pay. */
  checkoutUrl(payment: Payment): string;
  /** Sets a new transfer going; its webhook follows by itself. */
  execute(transfer: Transfer): void;
}

/** A payment provider, as its merchants see it. */
export interface Provider {
  /** The key its callers must show; nobody may call when it is not configured. */
  key: string | undefined;
  /** Its API, below `/gateway-x`. */
  routes: Routes;
  /** An error in its own words. */
  refuse(status: number, message: string): Reply;
  /** The headers that prove a webhook is the provider's. */
  sign(body: string): Record<string, string>;
  paymentEvent(payment: Payment, outcome: 'paid' | 'failed'): object;
  transferEvent?(transfer: Transfer): object;
  /** Where the buyer is sent after paying. */
  returnUrl(payment: Payment): string;
  /** What a person reads: major units. */
  decimalAmount(money: Money): number;
}

/** Adds parameters to an address, whatever parameters it already has. */
export function withQuery(address: string, parameters: Record<string, string>): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
