import * as z from 'zod';
import { gatewayNames } from './gateway.ts';

export const paymentMethodView = z
  .object({
    paymentMethod: z.enum(['CRYPTO', 'FIAT']),
    gateway: z.enum(gatewayNames).nullable().meta({ description: 'Null for CRYPTO' }),
    name: z.string().meta({ description: 'The name to show to buyers', examples: ['Card'] }),
  })
  .meta({
    id: 'PaymentMethod',
    description:
      'A way to pay. `POST /api/orders/initialize` accepts these values of `paymentMethod` and `gateway`',
  });
export type PaymentMethodView = z.infer<typeof paymentMethodView>;
