import * as z from 'zod';
import { walletAddress } from '../../core/address.ts';
import type { ErrorCode } from '../../core/errors.ts';

export const reissueRequest = z.object({
  walletAddress: walletAddress.meta({ description: 'The wallet that the tickets are minted to again' }),
});

/** Error codes of a refused reissue. */
export const reissueErrorCodes = [
  'order-not-found',
  'not-paid',
  'refunded',
  'event-cancelled',
  'in-progress',
  'nothing-to-reissue',
  'already-reissued',
  'admitted',
  'moved',
  'same-wallet',
  'reissue-not-supported',
  'too-many-attempts',
  'unavailable',
] as const satisfies ErrorCode[];
