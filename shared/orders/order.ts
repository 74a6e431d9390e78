import * as z from 'zod';
import { derivedId, ownerMark, randomCode } from '../core/ids.ts';
import { currency, minorUnits } from '../core/schemas.ts';
import { gatewayNames } from '../payments/gateway.ts';

export const paymentStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** How far the tickets of an order are; see lifecycle.ts. */
export const fulfilmentStatuses = [
  'none',
  'queued',
  'minting',
  'minted',
  'reissuing',
  'not-needed',
  'failed',
  'refund-due',
] as const;
export type FulfilmentStatus = (typeof fulfilmentStatuses)[number];

/** How far a refund is; see lifecycle.ts. An order without one has no `refund`. */
export const refundStatuses = ['pending', 'done', 'failed', 'manual'] as const;

export const failureReasons = [
  'expired',
  'cancelled',
  'payment-failed',
  'gateway-failed',
  'event-cancelled',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Why an order has no tickets on the chain, or its payment is due back. A code, once out, keeps its meaning. */
export const fulfilmentReasons = [
  'chain-not-configured',
  'contract-not-authorized',
  /** The contract's code is of no release of the ticket contract. */
  'contract-unknown',
  'contract-refused',
  'too-much-gas',
  /** The transaction was mined and minted nothing. */
  'not-minted',
  /** The contract reports other tickets than were ordered, or for another wallet. */
  'wrong-mint',
  /** Every node refused the transaction. */
  'transaction-invalid',
  /** The tickets stay in the wallet they were minted to. */
  'not-reissued',
  'event-cancelled',
  'refunded',
  'sold-out',
  'too-few-left',
  'tier-limit',
  'wallet-limit',
  /** Another one: see the message. */
  'other',
] as const;
export type FulfilmentReason = (typeof fulfilmentReasons)[number];

/** The most tickets of one order: they are minted, and burned, by one transaction each. */
export const maximumOrderTickets = 500;

/** Where a payment on a chain goes. */
const chainTerms = z.object({
  chainId: z.number(),
  /** The platform's wallet. */
  to: z.string(),
  /** The contract of the token to pay in; null for the chain's own coin. */
  token: z.string().nullable(),
});
export type ChainTerms = z.infer<typeof chainTerms>;

/** The return of what an order was paid with. Tickets, inventory and ledger are settled when it begins. */
const refund = z.object({
  status: z.enum(refundStatuses),
  /** All that was paid, the fee included: minor units of the order's currency. */
  amount: minorUnits,
  /** Calls of the gateway that failed since the refund entered its status. */
  attempts: z.number(),
  /** When to continue while it is pending. ISO 8601 in UTC, as `at`. */
  dueAt: z.string(),
  /** When it entered its present status. */
  at: z.string(),
  /** The transfer that an operator sent by hand. */
  transactionId: z.string().optional(),
});
export type Refund = z.infer<typeof refund>;

/** The code that an order was placed with. */
const redemption = z.object({
  code: z.string(),
  /** The version of the code that decided the price. */
  version: z.number(),
  /** Whether the code counts the order while it holds its tickets: it had a limit when they were reserved. */
  isCounted: z.boolean().optional(),
  /** Whether it is counted beyond the limit, because it was paid after the code was used up. */
  isOverrun: z.boolean().optional(),
});

/**
 * The present tokens of an order whose tickets were burned and minted again. Each issue has an order key of its own in the
 * contract, so that the contract mints it once.
 */
const issue = z.object({
  /** From 2 on. */
  number: z.number(),
  /** Where it is minted to, checksummed. */
  wallet: z.string(),
  /** The account that burned the issue before. Its nonces are mined in order, so the two are never valid together. */
  signer: z.string(),
  /** The numbers of its seats; absent for all. The tokens of others had moved and could not be burned. */
  seats: z.array(z.number()).optional(),
  /** ISO 8601 in UTC. */
  at: z.string(),
});
export type Issue = z.infer<typeof issue>;

/** An order as it is stored. Amounts are minor units of `currency`, times ISO 8601 in UTC. */
const order = z.object({
  id: z.string(),
  userId: z.string(),
  eventId: z.string(),
  tierId: z.string(),
  quantity: z.number(),
  /** What the gateway shows the buyer; kept until the checkout exists, so that a retry sends the same. */
  description: z.string().optional(),
  currency,
  /** The price of the tickets after the discount, which is the organizer's share. */
  subtotal: minorUnits,
  redemption: redemption.optional(),
  /** What the code took off. */
  discount: minorUnits.optional(),
  /** What the buyer pays: the subtotal and the fee. */
  totalAmount: minorUnits,
  paymentMethod: z.enum(['CRYPTO', 'FIAT']),
  gateway: z.enum(gatewayNames).optional(),
  reference: z.string(),
  /** Where to pay, until it is paid. */
  checkoutUrl: z.string().optional(),
  /** The provider's own id of the checkout, where payments can't be found by the reference. */
  checkoutSession: z.string().optional(),
  /** How a crypto order is paid. */
  chainTerms: chainTerms.optional(),
  /** The transaction that the buyer named as the payment, until the chain confirms it. */
  cryptoTxHash: z.string().optional(),
  /** When the buyer named it. */
  cryptoTxAt: z.string().optional(),
  /** The counters of open orders that count the order until it is paid or fails; see checkout/open-orders.ts. */
  countedOpen: z.array(z.enum(['event', 'crypto'])).optional(),
  paymentStatus: z.enum(paymentStatuses),
  paymentTxId: z.string().optional(),
  /** What was paid, where the gateway reports it; an excess is kept until a refund. */
  paidAmount: minorUnits.optional(),
  failureReason: z.enum(failureReasons).optional(),
  /** Why a reported payment did not complete the order. */
  paymentReview: z.string().optional(),
  customerEmail: z.string(),
  customerName: z.string(),
  /** Whether the order's tickets are taken out of the inventory. */
  holdsSeat: z.boolean(),
  /** The shard of the tier's inventory that the tickets return to. */
  shard: z.number().default(0),
  fulfilmentStatus: z.enum(fulfilmentStatuses),
  /** A code; orders stored before there were codes have a sentence. */
  fulfilmentReason: z.string().optional(),
  /** The reason as a sentence for the organizer. */
  fulfilmentMessage: z.string().optional(),
  /** Whether the order is posted to the ledger and its buyer notified. */
  isBooked: z.boolean().optional(),
  /** Whether its organizer was credited; not when the order was due for a refund before it was posted. */
  isCredited: z.boolean().optional(),
  /** The number of its event's release that makes the credit available; absent when it was available at once. */
  release: z.number().optional(),
  /** The nonce that mints the tickets; it stays with the order until the nonce is used up. */
  mint: z.object({ chainId: z.number(), signer: z.string(), nonce: z.number() }).optional(),
  /** Whether it is minted in a transaction of its own, because a shared one was reverted. */
  mintsAlone: z.boolean().optional(),
  blockchainTxHash: z.string().optional(),
  /** The transaction that is expected to mint the tickets; once it is final, `blockchainTxHash` holds it. */
  mintTransactionHash: z.string().optional(),
  /** Absent while its tokens are the first ones. */
  issue: issue.optional(),
  /** When the buyer had its tickets reissued, which they may once. */
  buyerReissuedAt: z.string().optional(),
  /** When it was paid, or last queued to be minted. */
  queuedAt: z.string().optional(),
  mintingAt: z.string().optional(),
  mintedAt: z.string().optional(),
  /** How many of its seats were admitted. Absent for 0. */
  admitted: z.number().optional(),
  /** How often one of its seats changed hands. Absent for 0. */
  moved: z.number().optional(),
  /** Present once the money goes back; from then on the order has no tickets. */
  refund: refund.optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string(),
});
export type Order = z.infer<typeof order>;

/** Reads a stored item as an order. @throws ZodError for an item that is none */
export function toOrder(item: unknown): Order {
  return order.parse(item);
}

/**
 * Whose share of the workers an order uses: its organizer's, which the event's id tells. An event created before ids did
 * so is a tenant of its own. The organizer in the order would make the usual one longer than 1 KB, and its writes dearer.
 */
export function tenantOf({ eventId }: Pick<Order, 'eventId'>): string {
  return ownerMark(eventId);
}

/**
 * A payment reference: `BOX`, the end of the event's id, the time in milliseconds, a random suffix. The order's
 * id is derived from it, so that a webhook finds its order by one strongly consistent read, without an index.
 */
export function newReference(eventId: string, now: number): string {
  return `BOX-${eventId.slice(-6).toUpperCase()}-${now}-${randomCode(8)}`;
}

/** The id of the order that a reference belongs to; undefined for text that is no reference. */
export function orderIdOf(reference: string): string | undefined {
  const time = /^BOX-[A-Z0-9]{1,6}-(\d{13})-[A-Z0-9]{8}$/.exec(reference)?.[1];
  return time === undefined ? undefined : derivedId(reference, Number(time));
}

/** A payment reference as it is appended to a transaction's calldata. */
export function referenceData(reference: string): string {
  return `0x${Buffer.from(reference).toString('hex')}`;
}

export function issueNumber({ issue }: Pick<Order, 'issue'>): number {
  return issue?.number ?? 1;
}

/** The numbers of the seats that the present tokens are for, in the order of the tokens' ids. */
export function seatsMinted({ issue, quantity }: Pick<Order, 'issue' | 'quantity'>): number[] {
  return issue?.seats ?? Array.from({ length: quantity }, (_, at) => at + 1);
}
