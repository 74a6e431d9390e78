import * as z from 'zod';
import { getVisibleEvent } from '../../catalog/events/read-events.ts';
import { hashBuyer } from '../../catalog/inventory/inventory.ts';
import { countCodeUses } from '../../catalog/inventory/store.ts';
import { codeUsedUpByUser } from '../../catalog/promo-codes/code.ts';
import { getCodeWithinRateLimit } from '../../catalog/promo-codes/store.ts';
import { toNumber } from '../../core/money.ts';
import { amount, currency } from '../../core/schemas.ts';
import { listPaymentMethods, paymentMethodView } from '../../payments/payment-methods.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import { orderItemView, toItemViews } from '../views.ts';
import { codeField } from './draft-order.ts';
import { itemFields, namingTiers, priceItems, withItems } from './price-items.ts';

export const quoteRequest = withItems(
  z
    .object({ ...itemFields, code: codeField })
    .meta({ examples: [{ tierId: '7q2wk9xd', quantity: 2, code: 'EARLY-BIRD' }] }),
);

export const quoteView = z.object({
  subtotal: amount.meta({ description: 'The full price of the tickets', examples: [100] }),
  discount: amount.meta({ description: 'The discount of the code', examples: [20] }),
  fee: amount.meta({ description: '2.5 % of the subtotal after the discount', examples: [2] }),
  total: amount.meta({ description: 'What the buyer would pay', examples: [82] }),
  items: z.array(orderItemView).meta({ description: 'The tickets by tier; add-ons come last' }),
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
 * as `priceItems` and `getCodeWithinRateLimit`
 */
export async function quoteOrder(
  eventId: string,
  caller: Partial<AccessClaims> & { rateLimitSubject: string },
  request: z.infer<typeof quoteRequest>,
): Promise<z.infer<typeof quoteView>> {
  const { userId, email, rateLimitSubject } = caller;
  const event = await getVisibleEvent(eventId, userId);
  const code = request.code
    ? await getCodeWithinRateLimit(eventId, request.code, rateLimitSubject)
    : undefined;
  const { items, fullPrice, discount, total } = await namingTiers(event, request, () =>
    priceItems(event, request, code, Date.now()),
  );
  if (email !== undefined && code?.maxPerUser) {
    const uses = await countCodeUses(eventId, hashBuyer(email), code.code);
    if (uses >= code.maxPerUser) throw codeUsedUpByUser();
  }
  return {
    subtotal: toNumber(fullPrice, event.currency),
    discount: toNumber(discount, event.currency),
    fee: toNumber(total - (fullPrice - discount), event.currency),
    total: toNumber(total, event.currency),
    items: toItemViews(event, { items, currency: event.currency }),
    currency: event.currency,
    paymentMethods: listPaymentMethods(event, total),
  };
}
