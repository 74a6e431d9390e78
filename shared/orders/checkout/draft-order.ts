import * as z from 'zod';
import type { User } from '../../accounts/users/user.ts';
import type { Event, Tier } from '../../catalog/events/event.ts';
import {
  type Code,
  codeText,
  computeDiscount,
  isValidForTier,
  requireValid,
  requireWithinLimits,
  revealsTier,
  toRedemption,
} from '../../catalog/promo-codes/code.ts';
import { conflict, type ErrorCode, forbidden, notFound } from '../../core/errors.ts';
import { subtotal, totalWithFee } from '../../core/money.ts';
import { filledText } from '../../core/schemas.ts';
import { type GatewayName, gatewayNames } from '../../payments/gateway.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { maximumOrderTickets, type Order, orderIdOf } from '../order.ts';

/** The request for an order. */
export const orderRequest = z
  .object({
    eventId: z.string().min(1).max(64).meta({ description: 'The id of the event' }),
    tierId: z.string().min(1).max(64).meta({ description: 'The id of one of the event’s tiers' }),
    quantity: z
      .int()
      .min(1)
      .max(maximumOrderTickets)
      .meta({ description: 'The number of tickets, within the limits of the tier and the event' }),
    paymentMethod: z.enum(['CRYPTO', 'FIAT']).meta({
      description:
        '`FIAT`: at a gateway. `CRYPTO`: by a transaction on the event’s chain. A free order completes at once with either',
    }),
    gateway: z
      .enum(gatewayNames)
      .nullish()
      .meta({ description: 'For `FIAT`. Default: the service’s own default. Ignored for `CRYPTO`' }),
    customerEmail: z
      .string()
      .trim()
      .max(254)
      .pipe(z.email('must be an e-mail address'))
      .nullish()
      .meta({ description: 'Where the mail with the tickets goes. Default: the account’s address' }),
    customerName: filledText(100)
      .nullish()
      .meta({ description: 'The buyer’s name on the order. Default: the account’s name' }),
    code: codeText
      .nullish()
      .meta({ description: 'A discount or access code. It is redeemed when the order is placed' }),
  })
  .meta({
    examples: [
      {
        eventId: 'cm5x2k9q0h3v7r1t8w4y6z0ab',
        tierId: 'cm5x2k9q1b2n4d6f8g0j3l5p7',
        quantity: 2,
        paymentMethod: 'FIAT',
        gateway: 'gateway-a',
      },
    ],
  });
export type OrderRequest = z.infer<typeof orderRequest>;

/** Error codes of tickets that can't be sold, and of discount or access codes that can't be used. */
export const saleErrorCodes = [
  'event-not-found',
  'tier-not-found',
  'not-on-sale',
  'sale-not-started',
  'sale-ended',
  'code-unknown',
  'code-used-up',
  'code-not-for-tier',
  'discount-expired',
  'discount-not-started',
  'too-many-attempts',
] as const satisfies ErrorCode[];

/** Error codes of a refused order. */
export const orderErrorCodes = [
  ...saleErrorCodes,
  'sold-out',
  'too-few-left',
  'tier-limit',
  'wallet-limit',
  'too-many-open-orders',
  'kyc-required',
  'email-not-verified',
  'currency-not-supported',
  'gateway-not-configured',
  'crypto-not-configured',
  'provider-failed',
] as const satisfies ErrorCode[];

/**
 * Builds the order of a request from the current state of the event and the code, without storing it.
 * @param code the code that the request names
 * @throws DomainError as `priceTickets`; 403 for a buyer without KYC or a confirmed address, where the event or the
 * service requires it
 */
export function draftOrder(
  event: Event,
  user: User,
  request: OrderRequest,
  code: Code | undefined,
  reference: string,
  now: number,
): Order {
  const { tier, ...price } = priceTickets(event, request, code, now);
  if (event.requireKYC && user.kycStatus !== 'VERIFIED') {
    throw forbidden('This event requires a verified identity', 'kyc-required');
  }
  if (optionalSetting('ORDERS_NEED_VERIFIED_EMAIL') === 'true' && !user.emailVerified) {
    throw forbidden('Please confirm your e-mail address on your account page first', 'email-not-verified');
  }
  const { quantity, paymentMethod } = request;
  const holdMilliseconds = Number(optionalSetting('HOLD_MINUTES') ?? 15) * 60_000;
  const createdAt = new Date(now).toISOString();
  return {
    id: orderIdOf(reference) as string,
    userId: user.id,
    eventId: event.id,
    tierId: tier.id,
    quantity,
    description: `${quantity} × ${tier.name}, ${event.title}`,
    currency: event.currency,
    subtotal: price.fullPrice - price.discount,
    ...(code && { redemption: toRedemption(code, { countedCode: code }), discount: price.discount }),
    totalAmount: price.total,
    paymentMethod,
    ...(paymentMethod === 'FIAT' && { gateway: request.gateway ?? defaultGateway() }),
    reference,
    paymentStatus: 'PENDING',
    customerEmail: request.customerEmail ?? user.email,
    customerName: request.customerName ?? user.name,
    holdsSeat: true,
    shard: 0,
    fulfilmentStatus: 'none',
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(now + holdMilliseconds).toISOString(),
  };
}

/** The price of tickets, in minor units. `total` is the full price less the discount, plus the fee. */
interface TicketPrice {
  tier: Tier;
  fullPrice: bigint;
  discount: bigint;
  total: bigint;
}

/**
 * Prices tickets from the current state of an event and a code.
 * @throws DomainError 409 while the event or the tier is not on sale, and for a code that is not valid, not for the
 * tier or used up; 404 for an unknown tier, and for a hidden tier without a code that opens it
 */
export function priceTickets(
  event: Event,
  { tierId, quantity }: Pick<OrderRequest, 'tierId' | 'quantity'>,
  code: Code | undefined,
  now: number,
): TicketPrice {
  if (event.status !== 'PUBLISHED') throw conflict('not-on-sale', 'The event is not on sale');
  if (code) requireValid(code, now);
  const tier = event.tiers.find(({ id }) => id === tierId);
  if (!tier || (tier.hidden && !(code && revealsTier(code, tier)))) throw notFound('Tier');
  const saleStartsAt = Math.max(...[event.saleStart, tier.saleStart ?? event.saleStart].map(Date.parse));
  const saleEndsAt = Math.min(...[event.saleEnd, tier.saleEnd ?? event.saleEnd].map(Date.parse));
  if (now < saleStartsAt) throw conflict('sale-not-started', 'The sale has not started yet');
  if (now > saleEndsAt) throw conflict('sale-ended', 'The sale has ended');
  if (code && !isValidForTier(code, tier)) {
    throw conflict('code-not-for-tier', 'This code is not for these tickets');
  }
  const fullPrice = subtotal(tier.price, quantity);
  const discount = code ? computeDiscount(code, tier.price, quantity, event.currency) : 0n;
  if (code) requireWithinLimits(code, discount, event.currency);
  return { tier, fullPrice, discount, total: totalWithFee(fullPrice - discount) };
}

function defaultGateway(): GatewayName {
  const configuredName = optionalSetting('DEFAULT_GATEWAY');
  return gatewayNames.find((name) => name === configuredName) ?? 'gateway-a';
}
