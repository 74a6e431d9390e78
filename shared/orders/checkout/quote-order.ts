import * as z from 'zod';
import { getVisibleEvent } from '../../catalog/events/read-events.ts';
import { countCodeUses } from '../../catalog/inventory/store.ts';
import { codeUsedUpByUser } from '../../catalog/promo-codes/code.ts';
import { getCodeWithinRateLimit } from '../../catalog/promo-codes/store.ts';
import { toNumber } from '../../core/money.ts';
import { amount, currency } from '../../core/schemas.ts';
import { listPaymentMethods, paymentMethodView } from '../../payments/payment-methods.ts';
import { orderRequest, priceTickets } from './draft-order.ts';

export const quoteRequest = orderRequest
  .pick({ tierId: true, quantity: true, code: true })
  .meta({ examples: [{ tierId: 'cm5x2k9q1b2n4d6f8g0j3l5p7', quantity: 2, code: 'EARLY-BIRD' }] });

export const quoteView = z.object({
  subtotal: amount.meta({ description: 'The full price of the tickets', examples: [100] }),
  discount: amount.meta({ description: 'The discount of the code', examples: [20] }),
  fee: amount.meta({ description: '2.5 % of the subtotal after the discount', examples: [2] }),
  total: amount.meta({ description: 'What the buyer would pay', examples: [82] }),
  currency,
  paymentMethods: z
    .array(paymentMethodView)
    .meta({ description: 'The ways to pay this total; empty when there is nothing to pay' }),
});

/**
 * Prices an order as if it were placed now. It reserves nothing and does not check whether tickets are left. For an
 * anonymous caller it does not check the code's limit of uses per user.
 * @param rateLimitSubject the caller's user id, or the IP address of an anonymous caller
 * @throws DomainError 404 for an event that the caller may not see; 409 for a code that the caller has used up; others
 * as `priceTickets` and `getCodeWithinRateLimit`
 */
export async function quoteOrder(
  eventId: string,
  { userId, rateLimitSubject }: { userId: string | undefined; rateLimitSubject: string },
  request: z.infer<typeof quoteRequest>,
): Promise<z.infer<typeof quoteView>> {
  const event = await getVisibleEvent(eventId, userId);
  const code = request.code
    ? await getCodeWithinRateLimit(eventId, request.code, rateLimitSubject)
    : undefined;
  const { fullPrice, discount, total } = priceTickets(event, request, code, Date.now());
  if (userId && code?.maxPerUser && (await countCodeUses(eventId, userId, code.code)) >= code.maxPerUser) {
    throw codeUsedUpByUser();
  }
  return {
    subtotal: toNumber(fullPrice, event.currency),
    discount: toNumber(discount, event.currency),
    fee: toNumber(total - (fullPrice - discount), event.currency),
    total: toNumber(total, event.currency),
    currency: event.currency,
    paymentMethods: listPaymentMethods(event, total),
  };
}
