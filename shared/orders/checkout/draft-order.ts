import * as z from 'zod';
import { conflict, type ErrorCode, forbidden, notFound } from '../../core/errors.ts';
import { subtotal, totalWithFee } from '../../core/money.ts';
import { filledText } from '../../core/schemas.ts';
import type { Event, Tier } from '../../events/event.ts';
import { type GatewayName, gatewayNames } from '../../payments/gateway.ts';
import { optional } from '../../runtime/config.ts';
import type { User } from '../../users/user.ts';
import { maximumOrderTickets, type Order, orderIdOf } from '../order.ts';

/** The request for an order. */
export const orderRequest = z
  .object({
    eventId: z.string().min(1).max(64),
    tierId: z.string().min(1).max(64),
    quantity: z.int().min(1).max(maximumOrderTickets),
    paymentMethod: z.enum(['CRYPTO', 'FIAT']),
    gateway: z.enum(gatewayNames).nullish(),
    customerEmail: z.string().trim().max(254).pipe(z.email('must be an e-mail address')).nullish(),
    customerName: filledText(100).nullish(),
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

/** Why an order may be refused. */
export const orderRefusals = [
  'event-not-found',
  'tier-not-found',
  'not-on-sale',
  'sale-not-started',
  'sale-ended',
  'sold-out',
  'too-few-left',
  'tier-limit',
  'wallet-limit',
  'too-many-open-orders',
  'kyc-required',
  'currency-not-supported',
  'gateway-not-configured',
  'crypto-not-configured',
  'provider-failed',
] as const satisfies ErrorCode[];

/**
 * Drafts the order of a request, for an event as it is now.
 * @throws DomainError 409 while the event is not on sale, 404 for a tier it does not have, 403 without KYC
 */
export function draftOrder(
  event: Event,
  user: User,
  request: OrderRequest,
  reference: string,
  now: number,
): Order {
  const tier = purchasable(event, request.tierId, user, now);
  const { quantity, paymentMethod } = request;
  const holdMilliseconds = Number(optional('HOLD_MINUTES') ?? 15) * 60_000;
  const createdAt = new Date(now).toISOString();
  return {
    id: orderIdOf(reference) as string,
    userId: user.id,
    eventId: event.id,
    tierId: tier.id,
    quantity,
    description: `${quantity} × ${tier.name}, ${event.title}`,
    currency: event.currency,
    subtotal: subtotal(tier.price, quantity),
    totalAmount: totalWithFee(tier.price, quantity),
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

function purchasable(event: Event, tierId: string, user: User, now: number): Tier {
  if (event.status !== 'PUBLISHED') throw conflict('not-on-sale', 'The event is not on sale');
  if (now < Date.parse(event.saleStart)) throw conflict('sale-not-started', 'The sale has not started yet');
  if (now > Date.parse(event.saleEnd)) throw conflict('sale-ended', 'The sale has ended');
  const tier = event.tiers.find(({ id }) => id === tierId);
  if (!tier) throw notFound('Tier');
  if (event.requireKYC && user.kycStatus !== 'VERIFIED') {
    throw forbidden('This event requires a verified identity', 'kyc-required');
  }
  return tier;
}

function defaultGateway(): GatewayName {
  const configured = optional('DEFAULT_GATEWAY');
  return gatewayNames.find((name) => name === configured) ?? 'gateway-a';
}
