import * as z from 'zod';
import { toNumber } from '../money.ts';
import { amount, currency, identifier, time } from '../views.ts';
import { paymentInstructions } from './chain-payment.ts';
import { type Order, paymentStatuses } from './order.ts';
import { checkoutUrl, paymentView, reference } from './payment-view.ts';

export const initializedView = z.object({
  ok: z.literal(true),
  orderId: identifier,
  reference,
  checkoutUrl: checkoutUrl.optional(),
  payment: paymentView.optional(),
  totalAmount: amount,
  currency,
  paymentStatus: z.enum(paymentStatuses),
  expiresAt: time,
});

/** The answer to initialization: what a frontend needs to have the order paid. */
export function toInitializedView(order: Order): z.infer<typeof initializedView> {
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
