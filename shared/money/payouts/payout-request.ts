import * as z from 'zod';
import { currency, filledText } from '../../core/schemas.ts';
import { transferGatewayNames } from '../../payments/gateway.ts';

/** The request for a payout. The amount may have as many decimals as its currency. */
export const payoutRequest = z
  .object({
    amount: z.number().positive().max(1_000_000_000_000).meta({
      description: 'In major units of the currency, at most the available balance in it',
    }),
    currency: currency.meta({
      description: 'A currency that the gateway pays out, and in which the caller has a balance',
    }),
    gateway: z.enum(transferGatewayNames).meta({ description: 'The gateway that sends the money' }),
    destination: z
      .object({
        // Digits in most countries; IBANs begin with letters.
        accountNumber: z
          .string()
          .regex(/^[A-Za-z0-9]{6,34}$/, 'must have 6 to 34 letters and digits')
          .meta({ description: 'As the bank writes it, without spaces' }),
        bankCode: z
          .string()
          .regex(/^[\w-]{2,20}$/, 'must have 2 to 20 letters, digits, hyphens or underscores')
          .meta({ description: 'The bank’s code at this gateway: see `GET /api/banks`' }),
        accountName: filledText(100).meta({ description: 'The name of the account’s owner' }),
      })
      .meta({ description: 'The bank account; responses show the last four characters of its number' }),
  })
  .meta({
    examples: [
      {
        amount: 2500,
        currency: 'NGN',
        gateway: 'gateway-a',
        destination: { accountNumber: '0123456789', bankCode: '058', accountName: 'Olga Organizer' },
      },
    ],
  });
export type PayoutRequest = z.infer<typeof payoutRequest>;
