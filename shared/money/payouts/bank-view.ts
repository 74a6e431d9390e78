import * as z from 'zod';
import { currency } from '../../core/schemas.ts';
import { gatewayNames } from '../../payments/gateway.ts';

export const bankQuery = z.object({
  gateway: z.enum(gatewayNames).meta({ description: 'The gateway that would send the payout' }),
  currency: currency.meta({ description: 'The currency of the payout' }),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a country code such as NG')
    .optional()
    .meta({
      description:
        'ISO 3166-1 alpha-2. Default: the country of the currency; required with gateway-b for EUR, XAF and XOF, which several countries use. gateway-a ignores it: each of its currencies has one country.',
      examples: ['NG'],
    }),
});
export type BankQuery = z.infer<typeof bankQuery>;

export const bankView = z
  .object({
    name: z.string().meta({ examples: ['Guaranty Trust Bank'] }),
    code: z.string().meta({
      description: 'The `bankCode` of a payout by the same gateway; other gateways may use other codes',
      examples: ['058'],
    }),
  })
  .meta({ id: 'Bank' });
