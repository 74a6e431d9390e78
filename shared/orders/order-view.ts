import { toNumber } from '../money.ts';
import { paymentInstructions } from './chain-payment.ts';
import type { Order } from './order.ts';

/** What the API shows of an order; everything else of the item stays inside. */
export function toOrderView(order: Order) {
  return {
    id: order.id,
    totalAmount: toNumber(order.totalAmount, order.currency),
    quantity: order.quantity,
    currency: order.currency,
    paymentMethod: order.paymentMethod,
    paymentStatus: order.paymentStatus,
    customerEmail: order.customerEmail,
    customerName: order.customerName,
    userId: order.userId,
    eventId: order.eventId,
    tierId: order.tierId,
    gateway: order.gateway ?? null,
    reference: order.reference,
    gatewayReferences: order.gateway ? { [order.gateway]: order.reference } : {},
    checkoutUrl: order.checkoutUrl ?? null,
    payment: paymentInstructions(order) ?? null,
    paymentTxId: order.paymentTxId ?? null,
    blockchainTxHash: order.blockchainTxHash ?? null,
    expiresAt: order.expiresAt,
    failureReason: order.failureReason ?? null,
    paymentReview: order.paymentReview ?? null,
    fulfilment: {
      status: order.fulfilmentStatus,
      reason: order.fulfilmentReason ?? null,
      transactionHash: order.mintTransactionHash ?? null,
      queuedAt: order.queuedAt ?? null,
      mintingAt: order.mintingAt ?? null,
      mintedAt: order.mintedAt ?? null,
      updatedAt: order.mintedAt ?? order.mintingAt ?? order.queuedAt ?? order.updatedAt,
    },
    refund: order.refund
      ? {
          status: order.refund.status,
          amount: toNumber(order.refund.amount, order.currency),
          at: order.refund.at,
        }
      : null,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}

/** The answer to initialization: what a frontend needs to have the order paid. */
export function toInitializedView(order: Order) {
  return {
    ok: true,
    orderId: order.id,
    reference: order.reference,
    ...(order.checkoutUrl && { checkoutUrl: order.checkoutUrl }),
    ...(order.chainTerms && { payment: paymentInstructions(order) }),
    totalAmount: toNumber(order.totalAmount, order.currency),
    currency: order.currency,
    paymentStatus: order.paymentStatus,
    expiresAt: order.expiresAt,
  };
}
