import * as z from 'zod';
import type { StoredUser } from '../accounts/users/user.ts';
import type { Order } from '../orders/order.ts';

/** The removal of a person's data from their records, in one or more passes. Times are ISO 8601 in UTC. */
const erasure = z.object({
  userId: z.string(),
  /** The hash of the person's address, if it was confirmed. */
  emailHash: z.string().optional(),
  requestedAt: z.string(),
  /** Where the present pass is: when it began, and the last order whose data it has removed. */
  passStartedAt: z.string().optional(),
  cursor: z.string().optional(),
  updatedAt: z.string(),
});
export type Erasure = z.infer<typeof erasure>;

/** Parses a stored item as an erasure. @throws ZodError for any other item */
export function toErasure(item: unknown): Erasure {
  return erasure.parse(item);
}

/**
 * How long after the request the last pass begins, in milliseconds. Access tokens are valid for 15 minutes, and an
 * order created at the time of the request may contain the old name and address.
 */
export const lastPassDelayMilliseconds = 20 * 60_000;

/**
 * Returns when the last pass is due (epoch milliseconds); undefined when the pass that began at `now` was the last one.
 */
export function nextErasurePassAt({ requestedAt }: Erasure, now: number): number | undefined {
  const lastPassAt = Date.parse(requestedAt) + lastPassDelayMilliseconds;
  return now >= lastPassAt ? undefined : lastPassAt;
}

/** Returns whether an order still waits for a payment, a mint or a refund. */
export function isOrderInProgress({
  paymentStatus,
  fulfilmentStatus,
  refund,
  refunds = [],
}: Pick<Order, 'paymentStatus' | 'fulfilmentStatus' | 'refund' | 'refunds'>): boolean {
  if (paymentStatus === 'PENDING' || refunds.some(({ status }) => status !== 'done')) return true;
  if (fulfilmentStatus === 'refund-due') return refund?.status !== 'done';
  return fulfilmentStatus === 'queued' || fulfilmentStatus === 'minting' || fulfilmentStatus === 'reissuing';
}

/** The attributes that an erased account has in place of its personal data. */
export const erasedAccount = {
  name: '',
  email: '',
  walletAddress: null,
  emailVerified: false,
  previousAddress: undefined,
} as const satisfies Partial<StoredUser>;
