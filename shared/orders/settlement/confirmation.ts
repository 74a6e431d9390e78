import * as z from 'zod';
import type { ErrorCode } from '../../core/errors.ts';

/** The request that submits the transaction that pays an order. */
export const confirmationRequest = z.object({
  txHash: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a transaction hash')
    .meta({
      description: 'The hash of the transaction that pays the order',
      examples: [`0x${'4a'.repeat(32)}`],
    })
    .transform((hash) => hash.toLowerCase()),
});

/** Error codes of a transaction that does not complete the order. */
export const confirmationErrorCodes = [
  'order-not-found',
  'not-crypto',
  'already-paid',
  'paid-too-little',
  'transaction-unfit',
  'transaction-not-final',
  'transaction-used',
  'unavailable',
] as const satisfies ErrorCode[];
