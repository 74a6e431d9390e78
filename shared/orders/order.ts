import type { Currency } from '../core/money.ts';
import type { GatewayName } from '../payments/gateway.ts';
import type { Refund } from './refunds/refund.ts';

export const paymentStatuses = ['PENDING', 'COMPLETED', 'FAILED'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** The legal moves of a payment: from which states each leads where. */
export const paymentMoves = {
  settle: { from: ['PENDING'], to: 'COMPLETED' },
  /** A payment that arrives after the order was given up. */
  settleLate: { from: ['FAILED'], to: 'COMPLETED' },
  fail: { from: ['PENDING'], to: 'FAILED' },
} as const satisfies Record<string, { from: PaymentStatus[]; to: PaymentStatus }>;

/**
 * How far the tickets are. `queued` waits for the worker or the chain, `minting` has a transaction with a nonce,
 * `refund-due` was paid but has no seat.
 */
export const fulfilmentStatuses = [
  'none',
  'queued',
  'minting',
  'minted',
  'not-needed',
  'failed',
  'refund-due',
] as const;
export type FulfilmentStatus = (typeof fulfilmentStatuses)[number];

export const failureReasons = [
  'expired',
  'cancelled',
  'payment-failed',
  'gateway-failed',
  'event-cancelled',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Where a payment on a chain goes. */
export interface ChainTerms {
  chainId: number;
  /** Our wallet. */
  to: string;
  /** The contract of the token to pay in; null for the chain's own coin. */
  token: string | null;
}

/** What an order sells, and for how much, stays as it was made: what it brings can be taken back to the last unit. */
type Fixed = 'id' | 'eventId' | 'tierId' | 'quantity' | 'currency' | 'subtotal' | 'totalAmount';
export type OrderChange = { [name in Exclude<keyof Order, Fixed>]?: unknown } & { [name in Fixed]?: never };

/** An order as it is kept. Amounts are minor units of `currency`, times ISO 8601 in UTC. */
export interface Order {
  id: string;
  userId: string;
  eventId: string;
  tierId: string;
  quantity: number;
  /** What the gateway tells the buyer they pay for, until it has: a repeated call must tell it the same. */
  description?: string;
  currency: Currency;
  /** What the tickets cost, which is what the organizer gets. */
  subtotal: bigint;
  /** What the buyer pays: the subtotal and the fee. */
  totalAmount: bigint;
  paymentMethod: 'CRYPTO' | 'FIAT';
  gateway?: GatewayName;
  reference: string;
  /** Where to pay, until it is paid. */
  checkoutUrl?: string;
  /** The provider's own id of the checkout, where it can't be asked by our reference. */
  checkoutSession?: string;
  /** How a crypto order is to be paid, as the buyer was told. */
  chainTerms?: ChainTerms;
  /** The transaction that the buyer says pays it, while the chain does not confirm that. */
  cryptoTxHash?: string;
  paymentStatus: PaymentStatus;
  paymentTxId?: string;
  /** What was paid, where the gateway said so; more than due is kept until a refund. */
  paidAmount?: bigint;
  failureReason?: FailureReason;
  /** Why a payment that came in did not complete the order. */
  paymentReview?: string;
  customerEmail: string;
  customerName: string;
  /** Whether the order's tickets are taken out of the stock. */
  holdsSeat: boolean;
  /** The shard of the tier's stock to give the tickets back to. */
  shard: number;
  fulfilmentStatus: FulfilmentStatus;
  fulfilmentReason?: string;
  /** Whether the ledger and the buyer know of the completion. */
  isBooked?: boolean;
  /** Whether its organizer was credited for it: not when it was to go back before it was booked. */
  isCredited?: boolean;
  /** The nonce that is to mint the tickets: bound to the order until it is used up, and never exchanged before. */
  mint?: { chainId: number; signer: string; nonce: number };
  /** Whether it goes out in a transaction of its own, because one it shared with others was reverted. */
  mintsAlone?: boolean;
  blockchainTxHash?: string;
  /** The transaction that is to mint the tickets, until it is final: then it is `blockchainTxHash`. */
  mintTransactionHash?: string;
  /** When it was paid, or last queued to be minted. */
  queuedAt?: string;
  mintingAt?: string;
  mintedAt?: string;
  /** Present once the money is to go back: then the order has no tickets any more. */
  refund?: Refund;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
}
