import * as z from 'zod';
import { gatewayNames } from '../payments/gateway.ts';

/** What a buyer sends to make an order. */
export const orderRequest = z.object({
  eventId: z.string().min(1).max(64),
  tierId: z.string().min(1).max(64),
  quantity: z.int().min(1).max(10_000_000),
  paymentMethod: z.enum(['CRYPTO', 'FIAT']),
  gateway: z.enum(gatewayNames).nullish(),
  customerEmail: z.string().trim().max(254).pipe(z.email('must be an e-mail address')).nullish(),
  customerName: z.string().trim().min(1).max(100).nullish(),
});
export type OrderRequest = z.infer<typeof orderRequest>;
