import * as z from 'zod';

/** What a buyer sends to say by which transaction an order was paid. */
export const confirmation = z.object({
  txHash: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a transaction hash')
    .transform((hash) => hash.toLowerCase()),
});
