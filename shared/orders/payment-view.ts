import * as z from 'zod';
import { address, currency, time } from '../views.ts';

export const reference = z.string().meta({ examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'] });
export const checkoutUrl = z.string().meta({
  description: 'Where the buyer goes to pay',
  format: 'uri',
  examples: ['https://checkout.gateway.example/7q2wk9xd'],
});

/** How a crypto order is paid. */
export const paymentView = z
  .object({
    chainId: z.int().meta({ examples: [137] }),
    to: address,
    token: address.nullable().meta({ description: 'The contract of the token; null: the chain’s own coin' }),
    symbol: currency,
    decimals: z.int().meta({ examples: [18] }),
    amount: z.string().meta({ description: 'Base units', examples: ['1025000000000000000'] }),
    data: z.string().meta({ description: 'Hex to append to the calldata: names the order' }),
    expiresAt: time,
  })
  .meta({ id: 'CryptoPayment' });
