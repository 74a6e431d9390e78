import * as z from 'zod';
import { toNumber } from '../money.ts';
import { gatewayNames } from '../payments/gateway.ts';
import { refundStatuses } from '../refunds/refund.ts';
import { amount, currency, identifier, time, transactionHash } from '../views.ts';
import { paymentInstructions } from './chain-payment.ts';
import { failureReasons, fulfilmentStatuses, type Order, paymentStatuses } from './order.ts';
import { checkoutUrl, paymentView, reference } from './payment-view.ts';

export const orderView = z
  .object({
    id: identifier,
    totalAmount: amount.meta({ description: 'With the fee of 2.5 %' }),
    quantity: z.int().meta({ examples: [2] }),
    currency,
    paymentMethod: z.enum(['CRYPTO', 'FIAT']),
    paymentStatus: z.enum(paymentStatuses),
    customerEmail: z.string(),
    customerName: z.string(),
    userId: identifier,
    eventId: identifier,
    tierId: identifier,
    gateway: z.enum(gatewayNames).nullable(),
    reference,
    gatewayReferences: z.partialRecord(z.enum(gatewayNames), z.string()),
    checkoutUrl: checkoutUrl.nullable(),
    payment: paymentView.nullable(),
    paymentTxId: z.string().nullable().meta({ description: 'The gateway’s id of the payment' }),
    blockchainTxHash: transactionHash
      .nullable()
      .meta({ description: 'The transaction that minted the tickets' }),
    expiresAt: time.meta({ description: 'When the order, unpaid, gives its tickets back' }),
    failureReason: z.enum(failureReasons).nullable(),
    paymentReview: z.string().nullable().meta({ description: 'Why a payment did not complete the order' }),
    fulfilment: z.object({
      status: z.enum(fulfilmentStatuses),
      reason: z.string().nullable(),
      transactionHash: transactionHash.nullable(),
      queuedAt: time.nullable(),
      mintingAt: time.nullable(),
      mintedAt: time.nullable(),
      updatedAt: time,
    }),
    refund: z.object({ status: z.enum(refundStatuses), amount, at: time }).nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Order' });
type OrderView = z.infer<typeof orderView>;

/** What the API shows of an order; everything else of the item stays inside. */
export function toOrderView(order: Order): OrderView {
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
      transactionHash: order.mintTransactionHash ?? order.blockchainTxHash ?? null,
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
