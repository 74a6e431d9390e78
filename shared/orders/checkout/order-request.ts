import * as z from 'zod';
import type { ErrorCode } from '../../core/errors.ts';
import { filledText } from '../../core/schemas.ts';
import { gatewayNames } from '../../payments/gateway.ts';

/** The request for an order. */
export const orderRequest = z
  .object({
    eventId: z.string().min(1).max(64),
    tierId: z.string().min(1).max(64),
    quantity: z.int().min(1).max(10_000_000),
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
  'kyc-required',
  'currency-not-supported',
  'gateway-not-configured',
  'crypto-not-configured',
  'provider-failed',
] as const satisfies ErrorCode[];
